// One line for each changeset. Commits are not named: `npm run changeset` runs in a copy of the repository.
module.exports = {
  getReleaseLine: async ({ summary }) => `- ${summary.trim().replaceAll('\n', '\n  ')}`,
  getDependencyReleaseLine: async () => '',
};
