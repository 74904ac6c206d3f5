#!/usr/bin/env bash
# The script of action.yml: annotations on standard output, the step's summary, a SARIF file, and one comment that later runs update.
set -euo pipefail

folder=${RUNNER_TEMP:?}
report=$folder/deadtime.md
rm -f "$report"

# A pull request may contain its own node_modules and .npmrc: the tool is installed elsewhere, with the npm settings of the user.
tool=$folder/deadtime-tool
rm -rf "$tool"
mkdir -p "$tool"
echo '{ "private": true }' > "$tool/package.json"
(cd "$tool" && npm install --prefix . --ignore-scripts --no-audit --no-fund --loglevel error "deadtime@$VERSION" >&2)

status=0
"$tool/node_modules/.bin/deadtime" review --base "$BASE" --fail-on "$FAIL_ON" \
  -f github -f "sarif:$folder/deadtime.sarif" -f "markdown:$report" || status=$?
# Without a report, standard error has the reason.
if [[ ! -f $report ]]; then exit "$status"; fi

echo "sarif=$folder/deadtime.sarif" >> "$GITHUB_OUTPUT"

# A comment without findings only replaces one with findings; the report's first line marks it as ours. Any user can write that line:
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
# The token of a pull request from a fork may not write: the summary contains all findings anyway.
if [[ -n ${PULL_REQUEST:-} ]]; then comment || echo '::notice::Deadtime could not write its comment.'; fi

exit "$status"
