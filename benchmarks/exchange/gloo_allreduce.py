"""All-reduce with torch.distributed on Gloo: one rank, driven by lines on standard input.

Usage: gloo_allreduce.py RANK SIZE PORT
  run BYTES ITERATIONS   sums a float32 tensor of BYTES that many times; answers with nanoseconds
  end of input           ends

The peer of dev.medley.benchmarks.exchange.Rank, which speaks the same lines.
"""

import os
import sys
import time

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")

import torch
import torch.distributed as dist


def main() -> None:
    rank, size, port = (int(argument) for argument in sys.argv[1:4])
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=size
    )
    tensors: dict[int, torch.Tensor] = {}
    print("ready", torch.__version__, flush=True)
    for line in sys.stdin:
        _, count, iterations = line.split()
        tensor = tensors.setdefault(int(count), torch.zeros(int(count) // 4))
        dist.barrier()
        start = time.perf_counter_ns()
        for _ in range(int(iterations)):
            dist.all_reduce(tensor)
        print(time.perf_counter_ns() - start, flush=True)
    dist.destroy_process_group()


main()
