#!/usr/bin/env python3
"""Tries recipes for image families on Fashion-MNIST in PyTorch, on a GPU, where a recipe takes a minute in the place of hours.

A recipe is a line of JSON: {"net": "cnn" or "res", "ch": [32, 64], "bn": 0, "ep": 10, "lr": 0.002, "norm": 1, "flip": 1, "shift": 1,
"cut": 8, "ls": 0, "do": 0, "seed": 1}. Networks, first values, rate (100 steps up, then a cosine) and changes of images are those of
Medley's job words; a tenth of the training images is held out ("val"). Results go to stdout, a line a recipe.

    python recipes.py FOLDER_OF_IDX RECIPES.jsonl > RUNS.jsonl      needs torch with CUDA, torchvision, numpy
"""
import gzip
import json
import math
import pathlib
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torchvision.models import resnet18

DEVICE = "cuda"
SIDE, CLASSES, HELD_OUT, WARMUP = 28, 10, 6000, 100


def idx(file, offset):
    return torch.tensor(np.frombuffer(gzip.open(file).read(), np.uint8, offset=offset).copy()).to(DEVICE)


def changed(x, recipe, mean, deviation):
    """Mirrored, moved over black, normalised, with a square wiped out."""
    count = x.shape[0]
    if recipe.get("flip"):
        x = torch.where((torch.rand(count, device=DEVICE) < 0.5)[:, None, None, None], x.flip(3), x)
    if shift := recipe.get("shift"):
        padded = F.pad(x, (shift,) * 4)
        down, right = torch.randint(0, 2 * shift + 1, (2, count), device=DEVICE)
        side = torch.arange(SIDE, device=DEVICE)
        rows, columns = (down[:, None] + side)[:, :, None], (right[:, None] + side)[:, None, :]
        x = padded[torch.arange(count, device=DEVICE)[:, None, None], 0, rows, columns][:, None]
    if recipe.get("norm"):
        x = (x - mean) / deviation
    if cut := recipe.get("cut"):
        top, left = torch.randint(0, SIDE, (2, count, 1), device=DEVICE) - cut // 2
        side = torch.arange(SIDE, device=DEVICE)[None]
        hole = ((side >= top) & (side < top + cut))[:, :, None] & ((side >= left) & (side < left + cut))[:, None, :]
        x = x * ~hole[:, None]
    return x


def network(recipe):
    if recipe["net"] == "res":
        net = resnet18(num_classes=CLASSES)
        net.conv1, net.maxpool = nn.Conv2d(1, 64, 3, 1, 1, bias=False), nn.Identity()
        nn.init.kaiming_normal_(net.conv1.weight, mode="fan_out", nonlinearity="relu")
        return net
    layers, inputs, side = [], 1, SIDE
    for outputs in recipe["ch"]:
        layers.append(nn.Conv2d(inputs, outputs, 3, 1, 1))
        if recipe.get("bn"):
            layers.append(nn.BatchNorm2d(outputs))
        layers += [nn.ReLU(), nn.MaxPool2d(2)]
        inputs, side = outputs, side // 2
    drop = recipe.get("do", 0)
    head = [nn.Dropout(drop), nn.Linear(inputs * side * side, 128), nn.ReLU(), nn.Dropout(drop), nn.Linear(128, CLASSES)]
    return nn.Sequential(*layers, nn.Flatten(), *head)


def run(recipe, train, labels, test, truth):
    """Accuracy on what is held out and on the test images."""
    torch.manual_seed(recipe.get("seed", 1))
    mean, deviation = train.mean(), train.std()
    net = network(recipe).to(DEVICE).to(memory_format=torch.channels_last)
    order = torch.randperm(len(train), device=DEVICE)
    held, own = order[:HELD_OUT], order[HELD_OUT:]
    if recipe.get("sgd"):
        rule = torch.optim.SGD(net.parameters(), lr=recipe["lr"], momentum=0.9, weight_decay=recipe["wd"])
    else:
        rule = torch.optim.AdamW(net.parameters(), lr=recipe["lr"], weight_decay=recipe.get("wd", 0.01), fused=True)
    batch = recipe.get("b", 128)
    total = recipe["ep"] * math.ceil(len(own) / batch)
    rising = min(WARMUP, total // 4)

    def factor(step):
        return (step + 1) / rising if step < rising else 0.5 * (1 + math.cos(math.pi * (step + 1 - rising) / (total - rising)))

    rate = torch.optim.lr_scheduler.LambdaLR(rule, factor)
    for _ in range(recipe["ep"]):
        for part in own[torch.randperm(len(own), device=DEVICE)].split(batch):
            x = changed(train[part], recipe, mean, deviation).contiguous(memory_format=torch.channels_last)
            with torch.autocast(DEVICE, torch.bfloat16, enabled=recipe["net"] == "res"):
                loss = F.cross_entropy(net(x).float(), labels[part], label_smoothing=recipe.get("ls", 0))
            rule.zero_grad()
            loss.backward()
            rule.step()
            rate.step()
    net.eval()
    plain = {"norm": recipe.get("norm")}
    with torch.no_grad():
        for images, wanted in ((train[held], labels[held]), (test, truth)):
            said = torch.cat([net(changed(part, plain, mean, deviation)).argmax(1) for part in images.split(1000)])
            yield round((said == wanted).float().mean().item(), 4)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    train, test = (idx(folder / f"{name}-images-idx3-ubyte.gz", 16).view(-1, 1, SIDE, SIDE).float() / 255 for name in ("train", "t10k"))
    labels, truth = (idx(folder / f"{name}-labels-idx1-ubyte.gz", 8).long() for name in ("train", "t10k"))
    for line in open(sys.argv[2]):
        recipe, begin = json.loads(line), time.time()
        held, tested = run(recipe, train, labels, test, truth)
        print(json.dumps({**recipe, "val": held, "test": tested, "s": round(time.time() - begin, 1)}), flush=True)


if __name__ == "__main__":
    main()
