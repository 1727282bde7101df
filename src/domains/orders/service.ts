import type { Printer } from './documents/render/printer.ts';

export type Orders = Readonly<{ printer: Printer }>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly orders: Orders;
  }
}
