package dev.medley.tensor;

import java.util.List;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.T_TensorTensor_T;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Computes the operations of neural networks on tensors, with LibTorch's definitions. Parameters
 * are arguments, so that layers may keep them as views of one flat buffer.
 */
public final class Functional {
    /** LibTorch's code for losses that are summed over samples. */
    private static final long REDUCTION_NONE = 0;

    private static final long REDUCTION_SUM = 2;

    private Functional() {}

    /** x W^T + b for rows of x. */
    public static Tensor linear(Tensor x, Tensor weight, @Nullable Tensor bias) {
        // Not torch.linear(x, w, b): that one, of torch::nn, adds the bias in a pass of its own.
        return new Tensor(torch.linear(x.at, weight.at, optional(bias)));
    }

    /** Two-dimensional cross-correlation of [n, c, h, w] with [out, c, kh, kw]. */
    public static Tensor conv2d(
            Tensor x, Tensor weight, @Nullable Tensor bias, int stride, int padding) {
        return new Tensor(
                torch.conv2d(
                        x.at,
                        weight.at,
                        optional(bias),
                        new long[] {stride, stride},
                        new long[] {padding, padding},
                        new long[] {1, 1},
                        1));
    }

    /** The largest value of each window of side {@code kernel}. */
    public static Tensor maxPool2d(Tensor x, int kernel, int stride, int padding) {
        return new Tensor(
                torch.max_pool2d(
                        x.at,
                        new long[] {kernel, kernel},
                        new long[] {stride, stride},
                        new long[] {padding, padding},
                        new long[] {1, 1},
                        false));
    }

    /** Means over as many windows as give an image of {@code height} x {@code width}. */
    public static Tensor adaptiveAvgPool2d(Tensor x, int height, int width) {
        return new Tensor(torch.adaptive_avg_pool2d(x.at, height, width));
    }

    /** Normalises over the last dimension (Ba, Kiros, Hinton 2016). */
    public static Tensor layerNorm(Tensor x, Tensor weight, Tensor bias, double epsilon) {
        long width = x.size(-1);
        return new Tensor(
                torch.layer_norm(
                        x.at,
                        new long[] {width},
                        new TensorOptional(weight.at),
                        new TensorOptional(bias.at),
                        epsilon,
                        false));
    }

    /** The parameters and statistics of a batch normalisation. */
    public record BatchNormState(Tensor weight, Tensor bias, Tensor mean, Tensor variance) {}

    /**
     * Normalises each channel with the batch's statistics, and moves the remembered ones towards
     * them by {@code momentum} (Ioffe, Szegedy 2015).
     */
    public static Tensor batchNormTraining(
            Tensor x, BatchNormState state, double momentum, double epsilon) {
        return batchNorm(x, state, true, momentum, epsilon);
    }

    /** Normalises each channel with the remembered statistics. */
    public static Tensor batchNormEvaluation(Tensor x, BatchNormState state, double epsilon) {
        return batchNorm(x, state, false, 0, epsilon);
    }

    private static Tensor batchNorm(
            Tensor x, BatchNormState state, boolean training, double momentum, double epsilon) {
        return new Tensor(
                torch.batch_norm(
                        x.at,
                        new TensorOptional(state.weight.at),
                        new TensorOptional(state.bias.at),
                        new TensorOptional(state.mean.at),
                        new TensorOptional(state.variance.at),
                        training,
                        momentum,
                        epsilon,
                        false));
    }

    /**
     * Rows of {@code weight} by index. The gradient names the rows that took part and their values,
     * which is several times as fast as a dense matrix: {@link Tensor#addRows} brings it into one.
     */
    public static Tensor embedding(Tensor weight, Tensor indices) {
        return new Tensor(torch.embedding(weight.at, indices.at, -1, false, true));
    }

    /** max(x, 0). */
    public static Tensor relu(Tensor x) {
        return new Tensor(torch.relu(x.at));
    }

    /** x times the normal distribution function of x (Hendrycks, Gimpel 2016). */
    public static Tensor gelu(Tensor x) {
        return new Tensor(torch.gelu(x.at));
    }

    /** The same with a hyperbolic tangent in place of the distribution function. */
    public static Tensor geluByTanh(Tensor x) {
        return new Tensor(torch.gelu(x.at, "tanh"));
    }

    /** Hyperbolic tangent. */
    public static Tensor tanh(Tensor x) {
        return new Tensor(torch.tanh(x.at));
    }

    /** Exponential. */
    public static Tensor exp(Tensor x) {
        return new Tensor(torch.exp(x.at));
    }

    /** Natural logarithm. */
    public static Tensor log(Tensor x) {
        return new Tensor(torch.log(x.at));
    }

    /** Sine. */
    public static Tensor sin(Tensor x) {
        return new Tensor(torch.sin(x.at));
    }

    /** Cosine. */
    public static Tensor cos(Tensor x) {
        return new Tensor(torch.cos(x.at));
    }

    /** The nearest value from {@code least} to {@code most}. */
    public static Tensor clamp(Tensor x, double least, double most) {
        return new Tensor(
                torch.clamp(
                        x.at,
                        new ScalarOptional(new Scalar(least)),
                        new ScalarOptional(new Scalar(most))));
    }

    /** log(1 / (1 + exp(-x))). */
    public static Tensor logSigmoid(Tensor x) {
        return new Tensor(torch.log_sigmoid(x.at));
    }

    /** The logarithm of {@link #softmax}. */
    public static Tensor logSoftmax(Tensor x, int dimension) {
        return new Tensor(torch.log_softmax(x.at, dimension));
    }

    /** log of the sum of exp(x) along a dimension, which goes away. */
    public static Tensor logSumExp(Tensor x, int dimension) {
        return new Tensor(torch.logsumexp(x.at, new long[] {dimension}, false));
    }

    /** exp(x) over its sum along a dimension. */
    public static Tensor softmax(Tensor x, int dimension) {
        return new Tensor(torch.softmax(x.at, dimension));
    }

    /** Sets a random share of the values to zero and scales the others up to keep the mean. */
    public static Tensor dropout(Tensor x, double share, RandomStream random) {
        org.bytedeco.pytorch.Tensor mask =
                torch.empty_like(x.at)
                        .bernoulli_(1 - share, new GeneratorOptional(random.generator()))
                        .div_(new Scalar(1 - share));
        return new Tensor(x.at.mul(mask));
    }

    /**
     * Attention in which a position sees itself and what came before (Vaswani et al. 2017), over
     * [batch, heads, positions, width].
     */
    public static Tensor causalAttention(Tensor query, Tensor key, Tensor value) {
        return attention(query, key, value, null, true);
    }

    /** The same in which every position sees all. */
    public static Tensor attention(Tensor query, Tensor key, Tensor value) {
        return attention(query, key, value, null, false);
    }

    /**
     * The same in which every position sees those that {@code seen} marks.
     *
     * @param seen whether a position may be seen: 1 or 0, [batch, 1, 1, positions]
     */
    public static Tensor maskedAttention(Tensor query, Tensor key, Tensor value, Tensor seen) {
        return attention(query, key, value, seen, false);
    }

    private static Tensor attention(
            Tensor query, Tensor key, Tensor value, @Nullable Tensor seen, boolean isCausal) {
        return new Tensor(
                torch.scaled_dot_product_attention(
                        query.at,
                        key.at,
                        value.at,
                        optional(seen),
                        0.0,
                        isCausal,
                        new DoubleOptional(),
                        false));
    }

    /**
     * A stack of long short-term memories (Hochreiter, Schmidhuber 1997) over [batch, positions,
     * features], from a zero state.
     *
     * @param weights input, hidden, input bias, hidden bias of each layer in turn
     * @return the last layer's output at every position
     */
    public static Tensor lstm(Tensor x, List<Tensor> weights, int layers, int width) {
        org.bytedeco.pytorch.Tensor zero =
                torch.zeros(new long[] {layers, x.size(0), width}, x.at.options());
        TensorVector parameters = new TensorVector();
        weights.forEach(w -> parameters.push_back(w.at));
        T_TensorTensorTensor_T result =
                torch.lstm(
                        x.at,
                        new TensorVector(zero, zero),
                        parameters,
                        true,
                        layers,
                        0.0,
                        true,
                        false,
                        true);
        return new Tensor(result.get0());
    }

    /**
     * A stack of gated recurrent units (Cho et al. 2014), with arguments and result as of {@link
     * #lstm}.
     */
    public static Tensor gru(Tensor x, List<Tensor> weights, int layers, int width) {
        org.bytedeco.pytorch.Tensor zero =
                torch.zeros(new long[] {layers, x.size(0), width}, x.at.options());
        TensorVector parameters = new TensorVector();
        weights.forEach(w -> parameters.push_back(w.at));
        T_TensorTensor_T result =
                torch.gru(x.at, zero, parameters, true, layers, 0.0, true, false, true);
        return new Tensor(result.get0());
    }

    /**
     * Sum over rows of -log softmax at the target; rows with target {@code ignored} count 0.
     *
     * @param smoothing share of each target that all classes have alike
     */
    public static Tensor crossEntropySum(
            Tensor logits, Tensor target, long ignored, double smoothing) {
        return new Tensor(
                torch.cross_entropy_loss(
                        logits.at,
                        target.at,
                        new TensorOptional(),
                        REDUCTION_SUM,
                        ignored,
                        smoothing));
    }

    /** Sum of the binary cross-entropies of logits. */
    public static Tensor binaryCrossEntropySum(Tensor logits, Tensor target) {
        return new Tensor(
                torch.binary_cross_entropy_with_logits(
                        logits.at,
                        target.at,
                        new TensorOptional(),
                        new TensorOptional(),
                        REDUCTION_SUM));
    }

    /** Sum of squared differences. */
    public static Tensor squaredErrorSum(Tensor values, Tensor target) {
        return new Tensor(torch.mse_loss(values.at, target.at, REDUCTION_SUM));
    }

    /** Sum over rows of the mean over classes of max(0, 1 - x[target] + x[class]). */
    public static Tensor multiMarginSum(Tensor scores, Tensor target) {
        return new Tensor(
                torch.multi_margin_loss(
                        scores.at,
                        target.at,
                        new Scalar(1L),
                        new Scalar(1L),
                        new TensorOptional(),
                        REDUCTION_SUM));
    }

    /** -log softmax at the target, smoothed as above, of each row. */
    public static Tensor crossEntropies(Tensor logits, Tensor target, double smoothing) {
        return new Tensor(
                torch.cross_entropy_loss(
                        logits.at,
                        target.at,
                        new TensorOptional(),
                        REDUCTION_NONE,
                        -100,
                        smoothing));
    }

    /** The binary cross-entropy of each logit. */
    public static Tensor binaryCrossEntropies(Tensor logits, Tensor target) {
        return new Tensor(
                torch.binary_cross_entropy_with_logits(
                        logits.at,
                        target.at,
                        new TensorOptional(),
                        new TensorOptional(),
                        REDUCTION_NONE));
    }

    /** The mean over classes of max(0, 1 - x[target] + x[class]), of each row. */
    public static Tensor multiMargins(Tensor scores, Tensor target) {
        return new Tensor(
                torch.multi_margin_loss(
                        scores.at,
                        target.at,
                        new Scalar(1L),
                        new Scalar(1L),
                        new TensorOptional(),
                        REDUCTION_NONE));
    }

    /** The entries of a vector at indices. */
    public static Tensor at(Tensor vector, Tensor indices) {
        return select(vector, 0, indices);
    }

    /** The entries of a dimension at indices. */
    public static Tensor select(Tensor x, int dimension, Tensor indices) {
        return new Tensor(torch.index_select(x.at, dimension, indices.at));
    }

    /** Product of a vector with itself. */
    public static double squaredNorm(Tensor vector) {
        return torch.dot(vector.at, vector.at).item_double();
    }

    private static TensorOptional optional(@Nullable Tensor tensor) {
        return tensor == null ? new TensorOptional() : new TensorOptional(tensor.at);
    }
}
