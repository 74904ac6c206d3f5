#!/usr/bin/env bash
# What action.yml runs: annotations on standard output, with them the step's summary, a SARIF file, and one comment that is kept up to date.
set -euo pipefail

folder=${RUNNER_TEMP:?}
report=$folder/deadtime.md
deadtime=(npx --yes "deadtime@$VERSION")
if [[ -x node_modules/.bin/deadtime ]]; then deadtime=(node_modules/.bin/deadtime); fi

status=0
"${deadtime[@]}" review --base "$BASE" --fail-on "$FAIL_ON" \
  -f github -f "sarif:$folder/deadtime.sarif" -f "markdown:$report" || status=$?
# Without a report it has said on standard error what was wrong.
if [[ ! -f $report ]]; then exit "$status"; fi

echo "sarif=$folder/deadtime.sarif" >> "$GITHUB_OUTPUT"

# A comment without findings only replaces one that had some; the report's first line marks it as ours.
comment() {
  local comments="repos/$GITHUB_REPOSITORY/issues" known
  known=$(gh api "$comments/$PULL_REQUEST/comments" --paginate \
    --jq '.[] | select(.body | startswith("<!-- deadtime -->")) | .id') || return
  if [[ -n $known ]]; then
    gh api --method PATCH "$comments/comments/${known%%$'\n'*}" -F "body=@$report" > /dev/null
  elif grep -q '^### ' "$report"; then
    gh api --method POST "$comments/$PULL_REQUEST/comments" -F "body=@$report" > /dev/null
  fi
}
# The token of a pull request from a fork may not write: the summary has it all anyway.
if [[ -n ${PULL_REQUEST:-} ]]; then comment || echo '::notice::Deadtime could not write its comment.'; fi

exit "$status"
