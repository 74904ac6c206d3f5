#!/usr/bin/env bash
# What action.yml runs: annotations on standard output, with them the step's summary, a SARIF file, and one comment that is kept up to date.
set -euo pipefail

folder=${RUNNER_TEMP:?}
report=$folder/deadtime.md
rm -f "$report"

# A pull request may have brought its own node_modules and .npmrc: what is run is installed elsewhere, as npm is set up for its user.
tool=$folder/deadtime-tool
rm -rf "$tool"
mkdir -p "$tool"
echo '{ "private": true }' > "$tool/package.json"
(cd "$tool" && npm install --prefix . --ignore-scripts --no-audit --no-fund --loglevel error "deadtime@$VERSION" >&2)

status=0
"$tool/node_modules/.bin/deadtime" review --base "$BASE" --fail-on "$FAIL_ON" \
  -f github -f "sarif:$folder/deadtime.sarif" -f "markdown:$report" || status=$?
# Without a report it has said on standard error what was wrong.
if [[ ! -f $report ]]; then exit "$status"; fi

echo "sarif=$folder/deadtime.sarif" >> "$GITHUB_OUTPUT"

# A comment without findings only replaces one that had some; the report's first line marks it as ours. Anybody can write that line:
# only a comment of the token's own user is changed.
comment() {
  local comments="repos/$GITHUB_REPOSITORY/issues" login known
  login=$(gh api graphql -f query='{ viewer { login } }' --jq .data.viewer.login) || return
  known=$(LOGIN=$login gh api "$comments/$PULL_REQUEST/comments" --paginate \
    --jq '.[] | select(.user.login == env.LOGIN and (.body | startswith("<!-- deadtime -->"))) | .id') || return
  if [[ -n $known ]]; then
    gh api --method PATCH "$comments/comments/${known%%$'\n'*}" -F "body=@$report" > /dev/null
  elif grep -q '^### ' "$report"; then
    gh api --method POST "$comments/$PULL_REQUEST/comments" -F "body=@$report" > /dev/null
  fi
}
# The token of a pull request from a fork may not write: the summary has it all anyway.
if [[ -n ${PULL_REQUEST:-} ]]; then comment || echo '::notice::Deadtime could not write its comment.'; fi

exit "$status"
