import type { createProductAnswers } from './products/product-answers.ts';

export type Catalog = Readonly<{ answers: ReturnType<typeof createProductAnswers> }>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly catalog: Catalog;
  }
}
