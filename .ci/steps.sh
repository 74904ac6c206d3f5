# shellcheck shell=bash
# What .ci/run and .ci/full are made of: steps that are timed and counted, and what several of them need.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec < /dev/null
export CI=true NO_COLOR=1 npm_config_fund=false npm_config_audit=false npm_config_update_notifier=false

scratch=$(mktemp -d)
declare -A running=() started=() logs=()
trap 'kill "${!running[@]}" 2> /dev/null; rm -rf "$scratch"' EXIT
passed=0
took=
failed=0

# step SECONDS NAME COMMAND...: runs the command and adds the counts that mocha prints, or one for the command itself.
step() {
  local seconds=$1 name=$2 start=$SECONDS
  shift 2
  echo "--- $name"
  timeout --kill-after=10 "$seconds" "$@" 2>&1 | tee "$scratch/log"
  count "${PIPESTATUS[0]}" "$name" "$start" "$scratch/log"
}

# beside SECONDS NAME COMMAND...: starts the command, as one of several that `together` waits for, shows and counts.
beside() {
  local seconds=$1 log
  log=$(mktemp -p "$scratch")
  timeout --kill-after=10 "$seconds" "${@:3}" > "$log" 2>&1 &
  running[$!]=$2 started[$!]=$SECONDS logs[$!]=$log
}
together() {
  local pid status
  echo "--- side by side: $(IFS=,; echo "${running[*]}")"
  while ((${#running[@]} > 0)); do
    wait -n -p pid "${!running[@]}"
    status=$?
    echo "--- ${running[$pid]}"
    cat "${logs[$pid]}"
    count "$status" "${running[$pid]}" "${started[$pid]}" "${logs[$pid]}"
    unset "running[$pid]"
  done
}

# count STATUS NAME START LOG
count() {
  local status=$1 name=$2 took_s=$((SECONDS - $3)) ok bad
  ok=$(sum_of passing "$4")
  bad=$(sum_of failing "$4")
  if ((status != 0 && bad == 0)); then
    echo "$name failed with exit code $status"
    bad=1
  fi
  if ((status == 0 && ok == 0)); then ok=1; fi
  if ((bad > 0)); then (echo "--- what failed in $name" && tail -n 60 "$4") >> "$scratch/failures"; fi
  passed=$((passed + ok))
  failed=$((failed + bad))
  echo "--- $name took $took_s s"
  took+="$took_s s $name; "
}

# sum_of WORD LOG
sum_of() {
  sed -nE "s/^ *([0-9]+) $1.*/\1/p" "$2" | awk '{ sum += $1 } END { print sum + 0 }'
}

# with_node MAJOR COMMAND...: another Node, which also is the one that npm and npx in the tests find.
with_node() {
  local folder="$scratch/node-$1" package
  package=$(node -p '`node-${process.platform.replace("win32", "win")}-${process.arch}`')
  if [[ ! -d $folder ]]; then
    mkdir -p "$folder"
    echo '{ "private": true }' > "$folder/package.json"
    (cd "$folder" && npm install --ignore-scripts --silent "$package@$1") || return 1
  fi
  PATH="$folder/node_modules/$package/bin:$PATH" "${@:2}"
}

# SQLite came with Node 22.
sqlite() {
  local major
  for major in 22 24; do
    POSTGRES_URL='' MYSQL_URL='' with_node "$major" \
      node node_modules/mocha/bin/mocha.js --reporter dot test/benchmarks/proofs.ts -g sqlite || return
  done
}

# What needs servers that npm does not bring; the machine has them on loopback.
export POSTGRES_URL=${POSTGRES_URL:-postgres://postgres@127.0.0.1:5432/test}
export MYSQL_URL=${MYSQL_URL:-mysql://root@127.0.0.1:3306/test}
export REDIS_URL=${REDIS_URL:-redis://127.0.0.1:6379}
real_servers() {
  local url address missing=0
  for url in "$POSTGRES_URL" "$MYSQL_URL" "$REDIS_URL"; do
    address=$(node -p 'const { hostname, port, protocol } = new URL(process.argv[1]); `${hostname}/${port || { "postgres:": 5432, "mysql:": 3306, "redis:": 6379 }[protocol]}`' "$url")
    if ! timeout 5 bash -c ": < /dev/tcp/$address" 2> /dev/null; then
      echo "No server listens at $address: start it, or set POSTGRES_URL, MYSQL_URL and REDIS_URL to others."
      missing=1
    fi
  done
  ((missing == 0)) && npm run --silent test:servers -- --reporter dot
}

# have 'PACKAGES' COMMAND...: installs the packages where none of the commands is there.
have() {
  local packages=$1
  shift
  command -v "$@" > /dev/null && return
  # shellcheck disable=SC2086
  { apt-get update && apt-get install -y --no-install-recommends $packages; } > "$scratch/apt" 2>&1 && return
  tail -n 5 "$scratch/apt"
  echo "apt-get cannot install $packages: do so as root."
  return 1
}

# A real VS Code for the extension, and a Chromium that shows its page.
vscode() {
  if [[ -z ${E2E_CHROMIUM:-} ]]; then
    have 'chromium fonts-dejavu-core' chromium chromium-headless-shell google-chrome || return
  fi
  node --import tsx test/e2e/vscode/install.ts
}
# A registry that does not say what it knows, as a mirror, is no failure of ours: the log has what it answered.
audit() {
  npm run --silent audit
  local status=$?
  ((status == 2)) || return $status
}
export scratch
export -f audit have with_node sqlite real_servers vscode

# A log is read from its end.
summary() {
  if [[ -e $scratch/failures ]]; then cat "$scratch/failures"; fi
  echo "$took"
  echo "$passed passed, $failed failed"
  ((failed == 0))
}
