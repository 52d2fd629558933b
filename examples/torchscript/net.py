"""Writes net.pt, which examples/fashion-torchscript.yaml trains: python net.py"""

import torch
from torch import nn

torch.manual_seed(1)
net = nn.Sequential(
    nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Linear(16 * 7 * 7, 10),
)
torch.jit.script(net).save("net.pt")
