package dev.medley.tensor.model;

import dev.medley.tensor.Autograd;
import dev.medley.tensor.Functional;
import dev.medley.tensor.MemoryScope;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;
import java.util.Arrays;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes linear layers so that their gradients go straight into the flat buffer. LibTorch would
 * put a weight's gradient into memory of its own, to be copied; instead the weight takes no part in
 * the recorded history, a hook on the layer's output receives that output's gradient, and the
 * product with the input is written where it belongs. The numbers are those that LibTorch computes.
 *
 * <p>LibTorch itself computes the gradients of a layer with a frozen parameter, and those of a
 * parameter that is used a second time in the same pass: it is then announced at the end of
 * backward, when all parts have come.
 */
final class LinearGradients implements Pass.Products {
    private final GradientCollector collector;
    private final IdentityHashMap<Parameter, Integer> leaves = new IdentityHashMap<>();
    private final Autograd.Followers followers;
    private final boolean[] isUsed;

    /** By leaf of the weight: the input of the layer, and the leaf of its bias. */
    private final @Nullable Tensor[] inputs;

    private final int[] biases;

    LinearGradients(GradientCollector collector, int leafCount) {
        this.collector = collector;
        followers = new Autograd.Followers(leafCount, this::outputGradient);
        isUsed = new boolean[leafCount];
        inputs = new @Nullable Tensor[leafCount];
        biases = new int[leafCount];
    }

    /** Names the parameter of a leaf. */
    void know(Parameter parameter, int leaf) {
        leaves.put(parameter, leaf);
    }

    /** A new pass begins. */
    void begin() {
        Arrays.fill(isUsed, false);
        Arrays.fill(inputs, null);
    }

    @Override
    public Tensor linear(Tensor x, Parameter weight, Parameter bias) {
        int weightLeaf = leaves.getOrDefault(weight, -1);
        int biasLeaf = leaves.getOrDefault(bias, -1);
        if (weightLeaf < 0 || biasLeaf < 0) {
            return Functional.linear(x, weight.value(), bias.value());
        }
        if (isUsed[weightLeaf] || isUsed[biasLeaf]) {
            collector.defer(weightLeaf);
            collector.defer(biasLeaf);
            return Functional.linear(x, weight.value(), bias.value());
        }
        isUsed[weightLeaf] = true;
        isUsed[biasLeaf] = true;
        inputs[weightLeaf] = x.detach().reshape(-1, x.size(-1));
        biases[weightLeaf] = biasLeaf;
        Tensor output = Functional.linear(x, weight.value().detach(), bias.value().detach());
        if (!output.requiresGradient()) {
            output.requireGradient();
        }
        followers.follow(weightLeaf, output);
        return output;
    }

    private void outputGradient(int weightLeaf, Tensor gradient) {
        Tensor input = inputs[weightLeaf];
        if (input == null) {
            throw new IllegalStateException("a gradient came for a product that was not made");
        }
        try (MemoryScope scope = MemoryScope.open()) {
            Tensor rows = gradient.reshape(-1, gradient.size(-1));
            Tensor columns = rows.transpose(0, 1);
            collector.write(
                    biases[weightLeaf],
                    view -> view.setColumnSums(rows),
                    view -> view.add(rows.sum(0)));
            collector.write(
                    weightLeaf,
                    view -> view.setProduct(columns, input),
                    view -> view.addProduct(columns, input));
        }
        input.discard();
        inputs[weightLeaf] = null;
    }
}
