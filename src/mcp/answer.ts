/** The result of a tool: the text for the model, the data for a program. */
export interface ToolAnswer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}
