/** The parsed arguments of a command. */
export type Arguments = {
  /** The value of an option. */
  value(option: string): string | undefined;
  has(option: string): boolean;
  /** The file or folder named on the command line. */
  file: string | undefined;
};
