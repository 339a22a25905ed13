#!/bin/sh
# Builds the extensions and their command for an app: see README.md. Needs a Mac, Xcode and XcodeGen.
set -eu
cd "$(dirname "$0")"
: "${APP_BUNDLE_ID:?expected the bundle id of the app, as in com.example.agent}"
: "${APPLE_TEAM_ID:?expected the ten characters of the Apple team that signs}"
: "${APP_VERSION:?expected the version of the app, as in 1.2.3}"
command -v xcodegen >/dev/null || { echo 'build.sh: XcodeGen is missing: brew install xcodegen' >&2; exit 1; }
xcodegen generate --quiet
exec xcodebuild -quiet -project MacParts.xcodeproj -scheme MacParts -configuration Release \
  -destination generic/platform=macOS SYMROOT="$PWD/build" \
  AGENT_BUNDLE_ID="$APP_BUNDLE_ID" DEVELOPMENT_TEAM="$APPLE_TEAM_ID" MARKETING_VERSION="$APP_VERSION" "$@"
