"""Writes the TorchScript files of src/test/resources/torchscript, with PyTorch 2.10: python make_torchscript.py FOLDER

rows.pt is that of api/src/test/resources/torchscript.
"""

import sys

import torch
from torch import nn

folder = sys.argv[1]
torch.manual_seed(7)


def save(module, name):
    torch.jit.save(torch.jit.script(module), f"{folder}/{name}.pt")


class Tied(nn.Module):
    """One matrix in two places, and an array that does not learn."""

    def __init__(self):
        super().__init__()
        self.into = nn.Linear(4, 4, bias=False)
        self.again = nn.Linear(4, 4, bias=False)
        self.again.weight = self.into.weight
        self.fixed = nn.Parameter(torch.ones(4), requires_grad=False)
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        return self.head(torch.tanh(self.again(torch.tanh(self.into(x)))) * self.fixed)


class Reading(nn.Module):
    """Reads a file of the machine that it runs on."""

    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        return self.head(x) + torch.from_file("/etc/hostname", size=1)[0]


save(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3)), "dense")
save(
    nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(),
        nn.Dropout(0.25), nn.Linear(256, 3),
    ),
    "image",
)
save(nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1)), "rows")
save(Tied(), "tied")
save(Reading(), "reading")
save(nn.Sequential(nn.Tanh()), "nothing-to-learn")

# What training of dense.pt gives: Adam of 0.01 on eight samples.
net = torch.jit.load(f"{folder}/dense.pt")
x = torch.sin(torch.arange(32, dtype=torch.float32)).reshape(8, 4)
y = torch.arange(8) % 3
rule = torch.optim.Adam(net.parameters(), lr=0.01)
losses = []
for _ in range(10):
    rule.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y, reduction="sum")
    (loss / 8).backward()
    rule.step()
    losses.append(loss.item())
with open(f"{folder}/dense-losses.txt", "w") as out:
    out.writelines(f"{loss!r}\n" for loss in losses)
