package dev.medley.tensor.model;

import dev.medley.tensor.Autograd;
import dev.medley.tensor.FlatBuffer;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.layout.Slot.MemoryOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings the gradient of each parameter into the flat buffer while backward runs. A hook receives
 * the complete gradient before LibTorch stores it; it is copied over what an older step left, or
 * added to what an earlier micro-batch of this step brought, and the parameter is ready at once. So
 * nothing is cleared beforehand and nothing is read that will be overwritten.
 */
final class GradientCollector {
    private final ParameterLayout layout;

    /** Slot of each trainable parameter, in the order of the leaves. */
    private final List<Integer> slots = new ArrayList<>();

    private final List<Tensor> views = new ArrayList<>();
    private final boolean[] isStale;
    private final boolean[] isReady;

    /** Announced at the end of backward, as more than one part may come. */
    private final boolean[] isDeferred;

    private final Autograd.Hooks hooks;
    private final LinearGradients linear;
    private ReadyListener listener = ReadyListener.NONE;
    private int stored = -1;
    private @Nullable Throwable failure;

    GradientCollector(ParameterLayout layout, List<Tensor> leaves, FlatBuffer gradients) {
        this.layout = layout;
        for (int slot = 0; slot < layout.slots().size(); slot++) {
            if (layout.slots().get(slot).isTrainable()) {
                slots.add(slot);
            }
        }
        isStale = new boolean[slots.size()];
        isReady = new boolean[slots.size()];
        isDeferred = new boolean[slots.size()];
        bind(gradients);
        hooks = Autograd.hook(leaves, this::collect);
        linear = new LinearGradients(this, slots.size());
    }

    /** Products whose gradients are written straight into the flat buffer. */
    LinearGradients linear() {
        return linear;
    }

    /** The leaf of a slot; -1 if it is frozen. */
    int leaf(int slot) {
        return slots.indexOf(slot);
    }

    /** A leaf's gradient comes in several parts in this pass. */
    void defer(int leaf) {
        isDeferred[leaf] = true;
    }

    /**
     * A leaf's part of the gradients' memory for who writes it himself: {@code set} if an older
     * step's gradient lies there, else {@code add}. It is ready then.
     */
    void write(int leaf, Consumer<Tensor> set, Consumer<Tensor> add) {
        if (failure != null) {
            return;
        }
        try {
            (isStale[leaf] ? set : add).accept(views.get(leaf));
            isStale[leaf] = false;
            announce(leaf);
        } catch (RuntimeException | Error e) {
            // It must not fly through LibTorch's own frames.
            failure = e;
        }
    }

    /** Gradients go to {@code gradients} from now on. */
    void bind(FlatBuffer gradients) {
        views.forEach(Tensor::release);
        views.clear();
        for (int slot : slots) {
            views.add(view(gradients, layout.slots().get(slot)).keep());
        }
    }

    /** Marks the gradients in memory as those of an older step. */
    void markStale() {
        Arrays.fill(isStale, true);
    }

    /** Prepares for one backward; frozen parameters are ready before it. */
    void begin(ReadyListener listener) {
        this.listener = listener;
        failure = null;
        linear.begin();
        Arrays.fill(isReady, false);
        Arrays.fill(isDeferred, false);
        for (int slot = 0; slot < layout.slots().size(); slot++) {
            if (!layout.slots().get(slot).isTrainable()) {
                listener.ready(slot);
            }
        }
    }

    /** After backward: what took no part has gradient zero and is ready too. */
    void finish() {
        dropStored();
        if (failure != null) {
            throw new IllegalStateException("a listener failed during backward", failure);
        }
        for (int i = isReady.length - 1; i >= 0; i--) {
            if (!isReady[i]) {
                clearIfStale(i);
                listener.ready(slots.get(i));
            }
        }
        listener = ReadyListener.NONE;
    }

    /** After a failure in forward or backward. */
    void abandon() {
        dropStored();
        listener = ReadyListener.NONE;
    }

    /** Makes the memory say zero where nothing has come since {@link #markStale}. */
    void clearStale() {
        for (int i = 0; i < isStale.length; i++) {
            clearIfStale(i);
        }
    }

    private void collect(int leaf, Tensor gradient) {
        dropStored();
        stored = leaf;
        if (failure != null) {
            return;
        }
        try {
            store(leaf, gradient);
            announce(leaf);
        } catch (RuntimeException | Error e) {
            // It must not fly through LibTorch's own frames.
            failure = e;
        }
    }

    private void announce(int leaf) {
        if (isDeferred[leaf]) {
            return;
        }
        if (isReady[leaf]) {
            throw new IllegalStateException(
                    layout.slots().get(slots.get(leaf)).name()
                            + " is used by Pass.products() and by its value in one pass:"
                            + " use one of them");
        }
        isReady[leaf] = true;
        listener.ready(slots.get(leaf));
    }

    private void store(int leaf, Tensor gradient) {
        Tensor view = views.get(leaf);
        if (gradient.isSparse()) {
            clearIfStale(leaf);
            view.addRows(gradient);
        } else if (isStale[leaf]) {
            view.set(gradient);
            isStale[leaf] = false;
        } else {
            view.add(gradient);
        }
    }

    private void dropStored() {
        if (stored >= 0) {
            hooks.drop(stored);
            stored = -1;
        }
    }

    private void clearIfStale(int leaf) {
        if (isStale[leaf]) {
            views.get(leaf).setZero();
            isStale[leaf] = false;
        }
    }

    /** A slot of a flat buffer in the parameter's shape. */
    static Tensor view(FlatBuffer buffer, Slot slot) {
        Tensor flat = buffer.slice(slot.offset(), slot.count());
        long[] shape = slot.dimensions();
        if (slot.order() == MemoryOrder.ROW_MAJOR) {
            return flat.view(shape);
        }
        return flat.view(shape[0], shape[2], shape[3], shape[1]).permute(0, 3, 1, 2);
    }
}
