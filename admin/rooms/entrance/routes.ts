/** Pages for people who are not logged in, besides the log-in itself: register, forgot password, accept an invitation. */
import type { Routes } from '../../shell/rooms.ts';

export const routes: Routes = {};
