/** One step of a release. */
export interface Step {
  /** What the output calls it, such as `deploy prod`. */
  name: string;
  /** What to do if it fails or is interrupted. */
  hintOnFailure: string;
  run: () => Promise<void>;
}
