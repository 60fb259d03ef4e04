/** The names of the cases that reject. */
export async function failuresOf<Case extends { readonly name: string }>(
  cases: readonly Case[],
  run: (testCase: Case) => Promise<void>,
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const testCase of cases) {
    const [outcome] = await Promise.allSettled([run(testCase)]);
    if (outcome.status === 'rejected') failed.push(testCase.name);
  }
  return failed;
}
