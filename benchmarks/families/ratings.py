#!/usr/bin/env python3
"""Makes tables of ratings from a seed: tastes of 8 factors, biases, popular items, noise of 0.5, rounded to halves.

ratings.py make FILE [--users N] [--items N] [--rows N] [--implicit]
"""
import argparse
import pathlib

import numpy as np

FACTORS = 8
SEED = 7


def table(users, items, rows):
    """Users, items and ratings; no user rates an item twice."""
    random = np.random.default_rng(SEED)
    of_users = random.normal(0, 1, (users, FACTORS)).astype(np.float32)
    of_items = random.normal(0, 1, (items, FACTORS)).astype(np.float32)
    bias_users = random.normal(0, 0.4, users)
    bias_items = random.normal(0, 0.5, items)
    popular = 1 / np.arange(1, items + 1) ** 0.6
    user = random.integers(0, users, rows)
    item = random.choice(items, rows, p=popular / popular.sum())
    _, first = np.unique(user.astype(np.int64) * items + item, return_index=True)
    first = random.permutation(first)
    user, item = user[first], item[first]
    taste = 0.25 * np.einsum("ij,ij->i", of_users[user], of_items[item])
    rating = 3.5 + bias_users[user] + bias_items[item] + taste + random.normal(0, 0.5, len(user))
    return user + 1, item + 1, np.clip(np.round(rating * 2) / 2, 0.5, 5)


def make(file, users, items, rows, implicit):
    """Writes a CSV file; of implicit feedback the rows that are rated 4 or more, each with a 1."""
    import pandas

    user, item, rating = table(users, items, rows)
    frame = pandas.DataFrame({"userId": user, "movieId": item, "rating": rating})
    if implicit:
        frame = frame[frame.rating >= 4].drop(columns="rating").assign(taken=1)
    frame.to_csv(file, index=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="what", required=True)
    makes = kinds.add_parser("make")
    makes.add_argument("file", type=pathlib.Path)
    makes.add_argument("--users", type=int, default=2000)
    makes.add_argument("--items", type=int, default=500)
    makes.add_argument("--rows", type=int, default=100_000)
    makes.add_argument("--implicit", action="store_true")
    asked = parser.parse_args()
    make(asked.file, asked.users, asked.items, asked.rows, asked.implicit)


if __name__ == "__main__":
    main()
