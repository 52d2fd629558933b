package dev.medley.tensor;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.AutoGradMode;
import org.bytedeco.pytorch.TensorBase;
import org.bytedeco.pytorch.VoidTensorHook;
import org.bytedeco.pytorch.global.torch;

/** Switches automatic differentiation on the current thread, and hooks gradients. */
public final class Autograd {
    private Autograd() {}

    /** Something switched until it is closed. */
    @FunctionalInterface
    public interface Switch extends AutoCloseable {
        @Override
        void close();
    }

    /** No history is recorded until the result is closed. */
    public static Switch withoutGradient() {
        AutoGradMode guard = new AutoGradMode(false);
        return guard::close;
    }

    /**
     * Matrix products and convolutions in bfloat16 until the result is closed; the casts of the
     * parameters are kept that long. Attention runs without the flash kernel, which is slower on
     * CPUs in bfloat16.
     */
    public static Switch bf16() {
        torch.set_autocast_dtype(torch.DeviceType.CPU, torch.ScalarType.BFloat16);
        torch.set_autocast_enabled(torch.DeviceType.CPU, true);
        torch.globalContext().setSDPUseFlash(false);
        return () -> {
            torch.clear_cache();
            torch.set_autocast_enabled(torch.DeviceType.CPU, false);
            torch.globalContext().setSDPUseFlash(true);
        };
    }

    /** Receives the complete gradient of a leaf; the tensor is valid during the call only. */
    @FunctionalInterface
    public interface GradientListener {
        /** On the thread that called backward, before LibTorch stores the gradient. */
        void gradient(int index, Tensor gradient);
    }

    /**
     * Calls {@code listener} with the complete gradient of each leaf, once per backward. LibTorch
     * then stores the gradient in the leaf, without a copy; {@link Hooks#drop} lets it go.
     *
     * @return to be held for as long as the leaves: hooks that are collected crash backward
     */
    public static Hooks hook(List<Tensor> leaves, GradientListener listener) {
        return new Hooks(leaves, listener);
    }

    /** Hooks on leaves, strongly reachable. */
    public static final class Hooks {
        private final List<Tensor> leaves;
        private final List<VoidTensorHook> hooks = new ArrayList<>();

        private Hooks(List<Tensor> leaves, GradientListener listener) {
            this.leaves = List.copyOf(leaves);
            for (int i = 0; i < leaves.size(); i++) {
                VoidTensorHook hook = new Hook(i, listener);
                hook.retainReference();
                hooks.add(hook);
                leaves.get(i).at.register_hook(hook);
            }
        }

        /** Lets go of the gradient that LibTorch stored in a leaf. */
        public void drop(int index) {
            org.bytedeco.pytorch.Tensor stored = leaves.get(index).at.mutable_grad();
            stored.reset();
        }

        /** Number of leaves. */
        public int count() {
            return hooks.size();
        }
    }

    /** Hooks for values inside a network, used again in every step; strongly reachable. */
    public static final class Followers {
        private final List<VoidTensorHook> hooks = new ArrayList<>();

        /** As many hooks as there may be values followed at once. */
        public Followers(int count, GradientListener listener) {
            for (int i = 0; i < count; i++) {
                VoidTensorHook hook = new Hook(i, listener);
                hook.retainReference();
                hooks.add(hook);
            }
        }

        /** The listener will hear of the gradient of {@code value} when backward comes by. */
        public void follow(int index, Tensor value) {
            value.at.register_hook(hooks.get(index));
        }
    }

    private static final class Hook extends VoidTensorHook {
        private final int index;
        private final transient GradientListener listener;

        Hook(int index, GradientListener listener) {
            this.index = index;
            this.listener = listener;
        }

        @Override
        public void call(TensorBase gradient) {
            // The handle is a reference of its own and must be gone before LibTorch looks whether
            // it may take the gradient over without a copy.
            try (org.bytedeco.pytorch.Tensor held = new org.bytedeco.pytorch.Tensor(gradient)) {
                listener.gradient(index, new Tensor(held));
            }
        }
    }
}
