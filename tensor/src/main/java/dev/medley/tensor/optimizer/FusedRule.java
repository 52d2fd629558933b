package dev.medley.tensor.optimizer;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.tensor.FlatBuffer;
import dev.medley.tensor.Script;
import dev.medley.tensor.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies the rules by LibTorch's fused kernels, which read and write each number once. RMSprop and
 * Adagrad have none here: they go over stretches that stay in the processor's cache.
 */
final class FusedRule implements UpdateRule {
    /** Elements of one stretch of these: five arrays of them fit into a cache of 1 MiB. */
    private static final long STRETCH = 1L << 15;

    private static final Tensor[] NONE = {};

    @Override
    public void apply(
            OptimizerUpdate update,
            FlatBuffer parameters,
            FlatBuffer gradients,
            List<FlatBuffer> state) {
        Run run = update.run();
        Tensor p = parameters.slice(run.offset(), run.count());
        Tensor g = gradients.slice(run.offset(), run.count());
        Tensor[] moments =
                state.stream()
                        .map(moment -> moment.slice(run.offset(), run.count()))
                        .toList()
                        .toArray(NONE);
        switch (update.spec().kind()) {
            case ADAM -> adam(Scripts.ADAM, update, p, g, moments);
            case ADAMW -> adam(Scripts.ADAMW, update, p, g, moments);
            case SGD -> sgd(update, p, g, moments);
            case RMSPROP -> rmsprop(update, p, g, moments);
            case ADAGRAD -> adagrad(update, p, g, moments[0]);
            case LBFGS -> throw new IllegalStateException("no rule by gradients of batches");
        }
    }

    private static void adam(
            Script script, OptimizerUpdate update, Tensor p, Tensor g, Tensor[] moments) {
        OptimizerSpec spec = update.spec();
        Tensor step = Tensor.zeros(ElementType.FLOAT32).fill((double) update.step());
        script.call(
                p,
                g,
                moments[0],
                moments[1],
                step,
                scale(update, g),
                update.learningRate(),
                spec.beta1(),
                spec.beta2(),
                update.run().weightDecay(),
                spec.epsilon());
    }

    private static void sgd(OptimizerUpdate update, Tensor p, Tensor g, Tensor[] moments) {
        OptimizerSpec spec = update.spec();
        Tensor scale = scale(update, g);
        double decay = update.run().weightDecay();
        if (moments.length == 0) {
            Scripts.SGD.call(p, g, scale, decay, update.learningRate());
        } else {
            Scripts.MOMENTUM.call(
                    p,
                    g,
                    moments[0],
                    scale,
                    decay,
                    update.learningRate(),
                    spec.momentum(),
                    spec.nesterov());
        }
    }

    private static void rmsprop(OptimizerUpdate update, Tensor p, Tensor g, Tensor[] moments) {
        OptimizerSpec spec = update.spec();
        Scripts.RMSPROP.call(
                p,
                g,
                moments[0],
                moments[moments.length - 1],
                update.divisor(),
                update.learningRate(),
                spec.beta2(),
                spec.epsilon(),
                update.run().weightDecay(),
                spec.momentum(),
                STRETCH);
    }

    private static void adagrad(OptimizerUpdate update, Tensor p, Tensor g, Tensor sum) {
        Scripts.ADAGRAD.call(
                p,
                g,
                sum,
                update.divisor(),
                update.learningRate(),
                update.spec().epsilon(),
                update.run().weightDecay(),
                STRETCH);
    }

    /** The divisor as the kernels take it, or null if there is nothing to divide by. */
    private static @Nullable Tensor scale(OptimizerUpdate update, Tensor g) {
        double divisor = update.divisor();
        if (divisor == 1) {
            return null;
        }
        if (g.type() == ElementType.FLOAT64 && (double) (float) divisor != divisor) {
            // The kernels divide by a float.
            g.divide(divisor);
            return null;
        }
        return Tensor.zeros(ElementType.FLOAT32).fill(divisor);
    }

    /** Compiled when an optimizer is first applied. */
    private static final class Scripts {
        private static final String ADAM_SOURCE =
                """
                def %1$s(p: Tensor, g: Tensor, m: Tensor, v: Tensor, step: Tensor,
                         scale: Optional[Tensor], lr: float, beta1: float, beta2: float,
                         decay: float, eps: float):
                    pl = [p]
                    torch._fused_%1$s_(pl, [g], [m], [v], [], [step], lr=lr, beta1=beta1,
                                       beta2=beta2, weight_decay=decay, eps=eps,
                                       amsgrad=False, maximize=False, grad_scale=scale)
                    return pl
                """;
        private static final String SGD_SOURCE =
                """
                def sgd(p: Tensor, g: Tensor, scale: Optional[Tensor], decay: float, lr: float):
                    pl = [p]
                    torch._fused_sgd_(pl, [g], [], weight_decay=decay, momentum=0.0, lr=lr,
                                      dampening=0.0, nesterov=False, maximize=False,
                                      is_first_step=False, grad_scale=scale)
                    return pl
                """;
        private static final String MOMENTUM_SOURCE =
                """
                def momentum(p: Tensor, g: Tensor, m: Tensor, scale: Optional[Tensor],
                             decay: float, lr: float, momentum: float, nesterov: bool):
                    pl = [p]
                    torch._fused_sgd_(pl, [g], [m], weight_decay=decay, momentum=momentum,
                                      lr=lr, dampening=0.0, nesterov=nesterov,
                                      maximize=False, is_first_step=False, grad_scale=scale)
                    return pl
                """;
        private static final String RMSPROP_SOURCE =
                """
                def rmsprop(p: Tensor, g: Tensor, s: Tensor, b: Tensor, divisor: float,
                            lr: float, alpha: float, eps: float, decay: float,
                            momentum: float, stretch: int):
                    n = p.numel()
                    at = 0
                    while at < n:
                        k = min(stretch, n - at)
                        pk = p.narrow(0, at, k)
                        gk = g.narrow(0, at, k)
                        sk = s.narrow(0, at, k)
                        if divisor != 1.0:
                            gk.div_(divisor)
                        if decay != 0.0:
                            gk.add_(pk, alpha=decay)
                        sk.mul_(alpha).addcmul_(gk, gk, value=1.0 - alpha)
                        mean = sk.sqrt().add_(eps)
                        if momentum > 0.0:
                            bk = b.narrow(0, at, k)
                            bk.mul_(momentum).addcdiv_(gk, mean)
                            pk.add_(bk, alpha=-lr)
                        else:
                            pk.addcdiv_(gk, mean, value=-lr)
                        at += k
                    return p
                """;
        private static final String ADAGRAD_SOURCE =
                """
                def adagrad(p: Tensor, g: Tensor, s: Tensor, divisor: float, lr: float,
                            eps: float, decay: float, stretch: int):
                    n = p.numel()
                    at = 0
                    while at < n:
                        k = min(stretch, n - at)
                        pk = p.narrow(0, at, k)
                        gk = g.narrow(0, at, k)
                        sk = s.narrow(0, at, k)
                        if divisor != 1.0:
                            gk.div_(divisor)
                        if decay != 0.0:
                            gk.add_(pk, alpha=decay)
                        sk.addcmul_(gk, gk)
                        pk.addcdiv_(gk, sk.sqrt().add_(eps), value=-lr)
                        at += k
                    return p
                """;
        static final Script ADAM = new Script("adam", ADAM_SOURCE.formatted("adam"));
        static final Script ADAMW = new Script("adamw", ADAM_SOURCE.formatted("adamw"));
        static final Script SGD = new Script("sgd", SGD_SOURCE);
        static final Script MOMENTUM = new Script("momentum", MOMENTUM_SOURCE);
        static final Script ADAGRAD = new Script("adagrad", ADAGRAD_SOURCE);
        static final Script RMSPROP = new Script("rmsprop", RMSPROP_SOURCE);
    }
}
