"""Counts the test cases of one `bazel test`, and prints "N passed, N failed" as the last line.

The events that Bazel writes for the run, and not what lies in bazel-testlogs, say which tests there
are: a test that no longer builds has left the log of an older run there.
"""

import argparse
import collections
import json
import sys
import urllib.parse
import xml.etree.ElementTree

Counts = collections.Counter


def read_events(path):
    """Returns the labels of all test targets, and the last attempt at each of their runs."""
    labels = set()
    attempts = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            event = json.loads(line)
            event_id = event["id"]
            if "targetConfigured" in event_id and "testSize" in event.get("configured", {}):
                labels.add(event_id["targetConfigured"]["label"])
            if "testResult" in event_id and "testResult" in event:
                key = event_id["testResult"]
                labels.add(key["label"])
                run = (key["label"], key.get("run", 0), key.get("shard", 0))
                attempt = (key.get("attempt", 0), event["testResult"])
                attempts[run] = max(attempts.get(run, attempt), attempt, key=lambda a: a[0])
    return labels, {run: result for run, (_, result) in attempts.items()}


def count_cases(label, result):
    """Counts the cases of one run of one test, and names those that failed."""
    counts = Counts()
    for output in result.get("testActionOutput", []):
        if output["name"] != "test.xml":
            continue
        path = urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path)
        try:
            root = xml.etree.ElementTree.parse(path).getroot()
        except (OSError, xml.etree.ElementTree.ParseError) as error:
            print(f"FAILED {label}: {path}: {error}")
            counts["failed"] += 1
            continue
        for case in root.iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                counts["failed"] += 1
                print(f"FAILED {label}: {case.get('classname', '')} {case.get('name')}")
            elif case.find("skipped") is not None or case.get("status") == "notrun":
                counts["skipped"] += 1
            else:
                counts["passed"] += 1
    if result["status"] not in ("PASSED", "FLAKY") and not counts["failed"]:
        print(f"FAILED {label}: {result['status']}")
        counts["failed"] += 1
    elif not counts:
        print(f"FAILED {label}: it has no test case")
        counts["failed"] += 1
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", required=True, help="file of --build_event_json_file")
    parser.add_argument("--bazel_exit_code", type=int, required=True)
    parser.add_argument(
        "--check", action="append", default=[], help="another check, as name=exit code"
    )
    args = parser.parse_args()

    total = Counts()
    labels, runs = read_events(args.events)
    for (label, _, _), result in sorted(runs.items()):
        total += count_cases(label, result)
    for label in sorted(labels - {label for label, _, _ in runs}):
        print(f"FAILED {label}: it was not built, or not run")
        total["failed"] += 1
    if args.bazel_exit_code and not total["failed"]:
        print(f"FAILED bazel test: exit code {args.bazel_exit_code}")
        total["failed"] += 1
    tests_ran = bool(runs)

    for check in args.check:
        name, code = check.rsplit("=", 1)
        total["passed" if code == "0" else "failed"] += 1
        if code != "0":
            print(f"FAILED {name}")

    skipped = f", {total['skipped']} skipped" if total["skipped"] else ""
    print(f"{total['passed']} passed, {total['failed']} failed{skipped}")
    return 0 if tests_ran and not total["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())
