"""What the benchmarks of whole training runs share: tasks, runs, records, statistics, results."""
