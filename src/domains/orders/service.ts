import type { Renderer } from './documents/render/renderer.ts';

export type Orders = Readonly<{ renderer: Renderer }>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly orders: Orders;
  }
}
