"""Records what torchvision's residual networks say, for ResNetTest: the logits of four images, in float64.

Run from the root of the repository, with torch 2.13.0 and a torchvision that goes with it:

    python tensor/src/test/python/record_resnets.py tensor/src/test/resources/pytorch/resnet-logits.json

Parameters, running statistics and images come from the formula of record_pytorch.py, so that the file holds logits only. Images of less
than 64 pixels a side have the first layers of He's networks for CIFAR, which torchvision does not have: 3x3 of stride 1, no pooling.
"""
import json, sys
import torch, torch.nn as nn, torchvision
from record_pytorch import signed, start

CASES = [("resnet18", 32), ("resnet50", 64)]
CLASSES = 10

def network(name, side):
    net = getattr(torchvision.models, name)(num_classes=CLASSES)
    if side < 64:
        net.conv1, net.maxpool = nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.Identity()
    net = net.double()
    start(net, torch.float64)
    for k, (name, statistic) in enumerate((n, b) for n, b in net.named_buffers() if b.is_floating_point()):
        v = signed(10_000 + k, *statistic.shape)
        statistic.copy_(0.1 * v if name.endswith("mean") else 1 + 0.5 * v)
    return net.eval()

def main():
    cases = []
    with torch.no_grad():
        for name, side in CASES:
            logits = network(name, side)(signed(7, 4, 3, side, side).double())
            cases.append({"depth": int(name[6:]), "side": side, "logits": logits.flatten().tolist()})
            print(name, logits[0].tolist(), flush=True)
    with open(sys.argv[1], "w") as f:
        f.write(json.dumps({"torch": torch.__version__, "torchvision": torchvision.__version__, "cases": cases}) + "\n")

if __name__ == "__main__":
    main()
