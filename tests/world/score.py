"""`python -m tests.world.score --seeds N [--from N]`: seeds, verdicts right, and per code recall and false alarms."""

import argparse
from collections import Counter

from tests.world.check import Tally
from tests.world.trial import trial


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--from", type=int, default=0, dest="start")
    parser.add_argument("--show", type=int, default=20, help="how many differences to print")
    options = parser.parse_args()
    tally, problems, kinds = Tally(), [], Counter[str]()
    for seed in range(options.start, options.start + options.seeds):
        for problem in trial(seed, tally):
            kinds[problem.split("(")[1].split(")")[0] + ": " + " ".join(problem.split("]: ")[-1].split()[:2])] += 1
            problems.append(problem)
    for problem in problems[: options.show]:
        print(problem)
    for kind, times in kinds.most_common(options.show):
        print(f"{times:6} {kind}")
    print(f"\nseeds {options.seeds}, verdicts {tally.verdicts}, wrong {tally.wrong_verdicts}, differences {len(problems)}")
    print("code   found  of  false alarms")
    for code in sorted({*tally.hits, *tally.misses, *tally.false}):
        hits = tally.hits.get(code, 0)
        print(f"{code} {hits:6} {hits + tally.misses.get(code, 0):5} {tally.false.get(code, 0):5}")


if __name__ == "__main__":
    main()
