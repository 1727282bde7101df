/** The thread that detects and converts imported files. Passes it the rules of request bodies, which domains can't import. */
import { createConvert } from './domains/imports/conversion/convert.ts';
import { parseJson } from './http/bodies/json.ts';
import { compileCheck } from './http/validation/validation.ts';

export const convert = createConvert({ parse: parseJson, compile: compileCheck });
