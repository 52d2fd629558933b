"""Records what PyTorch computes, for CorrectnessTest: the loss of each of the first 20 steps.

Run from the root of the repository, with torch 2.13.0 (see the "torch" field of each file for what was used):

    python tensor/src/test/python/record_pytorch.py tensor/src/test/resources/pytorch [MODEL ...]

Initial parameters and batches come from a formula that Java computes too (Formula.java), so that the files hold losses only.
Each case is run in float64, and in float32 with 1 and with 2 threads: the spread between these two is PyTorch's own.
"""
import json, sys
import numpy as np, torch, torch.nn as nn, torch.nn.functional as F

STEPS = 20

def unit(n, salt):
    mask = np.uint64(0xFFFFFFFF)
    x = (np.arange(n, dtype=np.uint64) * np.uint64(0x9E3779B1) + np.uint64(salt * 0x85EBCA77 + 0x27D4EB2F)) & mask
    x ^= x >> np.uint64(16)
    x = (x * np.uint64(0x85EBCA6B)) & mask
    x ^= x >> np.uint64(13)
    x = (x * np.uint64(0xC2B2AE35)) & mask
    x ^= x >> np.uint64(16)
    return (x >> np.uint64(8)).astype(np.float64) / (1 << 24)

def signed(salt, *shape):
    return torch.from_numpy(2 * unit(int(np.prod(shape)), salt) - 1).reshape(shape)

def indices(salt, bound, *shape):
    return torch.from_numpy(np.floor(unit(int(np.prod(shape)), salt) * bound).astype(np.int64)).reshape(shape)

class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h, self.n1, self.qkv, self.out = h, nn.LayerNorm(d), nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.n2, self.up, self.down = nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.h, d // self.h).transpose(1, 2) for z in self.qkv(self.n1(x)).chunk(3, -1))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.n2(x))))

class Gpt(nn.Module):
    def __init__(self, vocab, context, d, h, layers):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, d), nn.Embedding(context, d)
        self.blocks, self.norm, self.head = nn.Sequential(*[Block(d, h) for _ in range(layers)]), nn.LayerNorm(d), nn.Linear(d, vocab)
    def forward(self, x):
        return self.head(self.norm(self.blocks(self.tok(x) + self.pos.weight[: x.shape[1]])))

def mlp(*widths):
    layers = []
    for a, b in zip(widths, widths[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])

def cnn(side, channels, hidden, classes, norm):
    layers, c = [], 1
    for o in channels:
        layers += [nn.Conv2d(c, o, 3, padding=1)] + ([nn.BatchNorm2d(o)] if norm else []) + [nn.ReLU(), nn.MaxPool2d(2)]
        c, side = o, side // 2
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(c * side * side, hidden), nn.ReLU(), nn.Linear(hidden, classes))

class Residual(nn.Module):
    def __init__(self, i, o, s):
        super().__init__()
        self.a, self.an, self.b, self.bn = nn.Conv2d(i, o, 3, s, 1, bias=False), nn.BatchNorm2d(o), nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o)
        self.skip = nn.Identity() if s == 1 and i == o else nn.Sequential(nn.Conv2d(i, o, 1, s, bias=False), nn.BatchNorm2d(o))
    def forward(self, x):
        return F.relu(self.bn(self.b(F.relu(self.an(self.a(x))))) + self.skip(x))

class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.rnn, self.head = kind(6, 8, 2, batch_first=True), nn.Linear(8, 3)
    def forward(self, x):
        return self.head(self.rnn(x)[0][:, -1])

class Factors(nn.Module):
    def __init__(self, users, items, d):
        super().__init__()
        self.u, self.i, self.bu, self.bi = nn.Embedding(users, d), nn.Embedding(items, d), nn.Embedding(users, 1), nn.Embedding(items, 1)
    def forward(self, x):
        return (self.u(x[:, 0]) * self.i(x[:, 1])).sum(1) + self.bu(x[:, 0]).squeeze(1) + self.bi(x[:, 1]).squeeze(1)

def resnet():
    return nn.Sequential(nn.Conv2d(3, 4, 3, 1, 1, bias=False), nn.BatchNorm2d(4), nn.ReLU(), Residual(4, 4, 1), Residual(4, 8, 2),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 3))

# name: (network, batch of a step, kind of target)
MODELS = {
    "linear": (lambda: nn.Sequential(nn.Linear(20, 3)), lambda s: (signed(s, 16, 20), indices(s + 500, 3, 16)), "classes"),
    "logistic": (lambda: nn.Sequential(nn.Linear(20, 1)), lambda s: (signed(s, 16, 20), indices(s + 500, 2, 16)), "binary"),
    "regression": (lambda: mlp(20, 16, 1), lambda s: (signed(s, 16, 20), signed(s + 500, 16)), "value"),
    "mlp": (lambda: mlp(20, 16, 8, 3), lambda s: (signed(s, 16, 20), indices(s + 500, 3, 16)), "classes"),
    "cnn": (lambda: cnn(12, (4, 8), 16, 5, False), lambda s: (signed(s, 16, 1, 12, 12), indices(s + 500, 5, 16)), "classes"),
    "cnn-batch-norm": (lambda: cnn(12, (4, 8), 16, 5, True), lambda s: (signed(s, 16, 1, 12, 12), indices(s + 500, 5, 16)), "classes"),
    "transformer": (lambda: Gpt(11, 8, 16, 2, 2), lambda s: (indices(s, 11, 4, 8), indices(s + 500, 12, 4, 8) - 1), "tokens"),
    "resnet": (resnet, lambda s: (signed(s, 8, 3, 8, 8), indices(s + 500, 3, 8)), "classes"),
    "gru": (lambda: Recurrent(nn.GRU), lambda s: (signed(s, 8, 5, 6), indices(s + 500, 3, 8)), "classes"),
    "lstm": (lambda: Recurrent(nn.LSTM), lambda s: (signed(s, 8, 5, 6), indices(s + 500, 3, 8)), "classes"),
    "factors": (lambda: Factors(30, 20, 4), lambda s: (indices(s, 20, 64, 2), signed(s + 500, 64)), "value"),
    "adult-mlp": (lambda: mlp(108, 256, 64, 1), lambda s: (signed(s, 64, 108), indices(s + 500, 2, 64)), "binary"),
    "fashion-cnn": (lambda: cnn(28, (32, 64), 128, 10, False), lambda s: (signed(s, 32, 1, 28, 28), indices(s + 500, 10, 32)), "classes"),
    "shakespeare-gpt": (lambda: Gpt(65, 128, 128, 4, 4), lambda s: (indices(s, 65, 4, 128), indices(s + 500, 65, 4, 128)), "tokens"),
}
SMALL = ["linear", "logistic", "regression", "mlp", "cnn", "cnn-batch-norm", "transformer"]
FEW = [(m, o) for m in ("resnet", "gru", "lstm", "factors") for o in ("momentum", "adam")]
OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, 0.05),
    "sgd-decay": lambda p: torch.optim.SGD(p, 0.05, weight_decay=0.01),
    "momentum": lambda p: torch.optim.SGD(p, 0.02, momentum=0.9),
    "nesterov": lambda p: torch.optim.SGD(p, 0.02, momentum=0.9, nesterov=True),
    "adam": lambda p: torch.optim.Adam(p, 1e-3),
    "adam-decay": lambda p: torch.optim.Adam(p, 1e-3, weight_decay=0.01),
    "adamw": lambda p: torch.optim.AdamW(p, 1e-3, weight_decay=0.01),
    "adamw-gpt": lambda p: torch.optim.AdamW(p, 1e-3, (0.9, 0.99), weight_decay=0.01),
    "rmsprop": lambda p: torch.optim.RMSprop(p, 1e-3),
    "rmsprop-momentum": lambda p: torch.optim.RMSprop(p, 1e-3, momentum=0.9),
}

def start(net, dtype):
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            v = signed(k + 1, *p.shape)
            if p.dim() >= 2:
                v = v / np.sqrt(p.numel() // p.shape[0])
            else:
                name = [n for n, _ in net.named_parameters()][k]
                v = 0.1 * v + (1 if is_norm_weight(net, name) else 0)
            p.copy_(v.to(dtype))

def is_norm_weight(net, name):
    owner, _, leaf = name.rpartition(".")
    return leaf == "weight" and isinstance(net.get_submodule(owner), (nn.LayerNorm, nn.BatchNorm2d))

def loss_of(kind, out, y):
    if kind == "binary":
        return F.binary_cross_entropy_with_logits(out.flatten(), y.to(out.dtype))
    if kind == "value":
        return F.mse_loss(out.flatten(), y.to(out.dtype))
    return F.cross_entropy(out.reshape(-1, out.shape[-1]), y.reshape(-1), ignore_index=-1)

def run(model, optimizer, dtype, threads):
    torch.set_num_threads(threads)
    make, batch, kind = MODELS[model]
    net = make().to(dtype)
    start(net, dtype)
    opt, losses = OPTIMIZERS[optimizer](net.parameters()), []
    for s in range(1, STEPS + 1):
        x, y = batch(1000 * s)
        opt.zero_grad()
        loss = loss_of(kind, net(x.to(dtype) if x.is_floating_point() else x), y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses

def main():
    cases = [(m, o) for m in SMALL for o in OPTIMIZERS] + FEW + [("adult-mlp", "adam"), ("fashion-cnn", "adam"), ("shakespeare-gpt", "adamw-gpt")]
    for model in sys.argv[2:] or MODELS:
        rows = [{"optimizer": o, "fp64": run(m, o, torch.float64, 1), "fp32": run(m, o, torch.float32, 1),
                 "fp32TwoThreads": run(m, o, torch.float32, 2)} for m, o in cases if m == model]
        with open(f"{sys.argv[1]}/{model}.json", "w") as f:
            f.write(json.dumps({"torch": torch.__version__, "model": model, "runs": rows}, indent=None) + "\n")
        print(model, len(rows), flush=True)

if __name__ == "__main__":
    main()
