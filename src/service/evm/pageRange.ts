/** The blocks of a page of logs or transactions, and how much of them it has. */
export interface PageRange<Position> {
  /** Both ends inclusive. */
  readonly from: number;
  readonly to: number;
  readonly isOldestFirst: boolean;
  /** Only what is strictly after this in the order of the page; `null` on the first page. */
  readonly after: Position | null;
  /** How many are returned at most. */
  readonly limit: number;
}
