export { isConnectionLost, isDatabaseAway, isRetryable, violatesUnique } from './connection.ts';
