package dev.medley.tensor;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.Span;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * An array of numbers in LibTorch that knows how it was computed. A thin wrapper: each method is
 * one LibTorch operation of the same name and meaning, and returns a new handle in the current
 * {@link MemoryScope}. Operations of neural networks are in {@link Functional}.
 *
 * <p>A handle belongs to one thread at a time. Dimensions may be negative to count from the last.
 */
public final class Tensor {
    final org.bytedeco.pytorch.Tensor at;

    Tensor(org.bytedeco.pytorch.Tensor at) {
        this.at = at;
    }

    /** A tensor over the array's own memory: no copy, and only valid while the array is held. */
    public static Tensor aliasOf(HostArray array) {
        return NativeMemory.alias(array.data(), array.type(), array.shape());
    }

    /** Zeros in fresh memory. */
    public static Tensor zeros(ElementType type, long... shape) {
        return new Tensor(torch.zeros(shape, Types.options(type)));
    }

    /** Joins tensors along {@code dimension}. */
    public static Tensor concatenate(Iterable<Tensor> parts, int dimension) {
        TensorVector vector = new TensorVector();
        for (Tensor part : parts) {
            vector.push_back(part.at);
        }
        return new Tensor(torch.cat(vector, dimension));
    }

    /** Keeps this tensor alive beyond the current scope, until {@link #release()}. */
    public Tensor keep() {
        at.retainReference();
        return this;
    }

    /** Undoes {@link #keep()}: the memory is freed when nothing else refers to it. */
    public void release() {
        at.releaseReference();
    }

    /** Ends this handle before its scope does; the memory goes when nothing else refers to it. */
    public void discard() {
        at.close();
    }

    /** Lengths of the dimensions. */
    public long[] shape() {
        long[] shape = new long[rank()];
        for (int i = 0; i < shape.length; i++) {
            shape[i] = at.size(i);
        }
        return shape;
    }

    /** Length of one dimension. */
    public long size(int dimension) {
        return at.size(dimension);
    }

    /** Number of dimensions. */
    public int rank() {
        return (int) at.dim();
    }

    /** Number of elements. */
    public long count() {
        return at.numel();
    }

    /** Address of the first element, for checks of where a view lies. */
    public long address() {
        return at.data_ptr().address();
    }

    /** The single value of a tensor with one element. */
    public double item() {
        return at.item_double();
    }

    /** This tensor's memory as a span; it must be dense, and be held while the span is used. */
    public Span span() {
        return NativeMemory.spanOf(this);
    }

    /** Whether its elements are numbers with a fraction. */
    public boolean isFloating() {
        return at.is_floating_point();
    }

    /** A copy of the values in memory of the JVM's own. */
    public HostArray toHostArray(ElementType type) {
        Tensor dense = detach().to(type).contiguous();
        HostArray array = HostArray.allocate(type, shape());
        array.data().copyFrom(dense.span());
        return array;
    }

    /** The same values as another type; itself if it has that type. */
    public Tensor to(ElementType type) {
        return new Tensor(at.to(Types.scalarType(type)));
    }

    /** Marks a leaf whose gradient is wanted. */
    public Tensor requireGradient() {
        return new Tensor(at.requires_grad_(true));
    }

    /** The same memory without its history. */
    public Tensor detach() {
        return new Tensor(at.detach());
    }

    /** Computes the gradient of this single value with respect to every leaf. */
    public void backward() {
        at.backward();
    }

    /** Another shape over the same elements, copied only if they are not in order. */
    public Tensor reshape(long... shape) {
        return new Tensor(at.reshape(shape));
    }

    /** Another shape over the same memory. */
    public Tensor view(long... shape) {
        return new Tensor(at.view(shape));
    }

    /** Merges the dimensions from {@code first} on into one. */
    public Tensor flattenFrom(int first) {
        return new Tensor(at.flatten(first, -1));
    }

    /** Two dimensions exchanged. */
    public Tensor transpose(int first, int second) {
        return new Tensor(at.transpose(first, second));
    }

    /** Dimensions in another order. */
    public Tensor permute(long... order) {
        return new Tensor(at.permute(order));
    }

    /** {@code length} entries of a dimension. */
    public Tensor narrow(int dimension, long from, long length) {
        return new Tensor(at.narrow(dimension, from, length));
    }

    /** Stretches of a dimension, which may overlap, as a new last one over the same memory. */
    public Tensor unfold(int dimension, long length, long stride) {
        return new Tensor(at.unfold(dimension, length, stride));
    }

    /** One entry of a dimension, which goes away. */
    public Tensor select(int dimension, long index) {
        return new Tensor(at.select(dimension, index));
    }

    /** Removes a dimension of length one. */
    public Tensor squeeze(int dimension) {
        return new Tensor(at.squeeze((long) dimension));
    }

    /** Equal parts along a dimension. */
    public Tensor[] chunk(int parts, int dimension) {
        TensorVector chunks = at.chunk(parts, dimension);
        Tensor[] result = new Tensor[(int) chunks.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = new Tensor(chunks.get(i));
        }
        return result;
    }

    /** Elements one after another in row-major order. */
    public Tensor contiguous() {
        return new Tensor(at.contiguous());
    }

    /** A [samples, channels, height, width] tensor with its channels innermost in memory. */
    public Tensor channelsLast() {
        return new Tensor(at.contiguous(torch.MemoryFormat.ChannelsLast));
    }

    /** Element-wise sum, broadcasting. */
    public Tensor plus(Tensor other) {
        return new Tensor(at.add(other.at));
    }

    /** Element-wise difference, broadcasting. */
    public Tensor minus(Tensor other) {
        return new Tensor(at.sub(other.at));
    }

    /** Element-wise product, broadcasting. */
    public Tensor times(Tensor other) {
        return new Tensor(at.mul(other.at));
    }

    /** Element-wise quotient, broadcasting. */
    public Tensor divide(Tensor other) {
        return new Tensor(at.div(other.at));
    }

    /** Square root of every element. */
    public Tensor sqrt() {
        return new Tensor(at.sqrt());
    }

    /** Every element multiplied. */
    public Tensor times(double factor) {
        return new Tensor(at.mul(new Scalar(factor)));
    }

    /** Every element plus a number. */
    public Tensor plus(double term) {
        return new Tensor(at.add(new Scalar(term)));
    }

    /** Each entry of the first dimension so many times, one after another. */
    public Tensor repeated(long times) {
        return new Tensor(at.repeat_interleave(times, new LongOptional(0), new LongOptional()));
    }

    /** Sum of all elements. */
    public Tensor sum() {
        return new Tensor(at.sum());
    }

    /** Sums along one dimension, which goes away. */
    public Tensor sum(int dimension) {
        return new Tensor(at.sum(new long[] {dimension}, false, new ScalarTypeOptional()));
    }

    /** Mean of all elements. */
    public Tensor mean() {
        return new Tensor(at.mean());
    }

    /** Matrix product, batched over leading dimensions. */
    public Tensor matmul(Tensor other) {
        return new Tensor(at.matmul(other.at));
    }

    /** Index of the largest entry along a dimension. */
    public Tensor argmax(int dimension) {
        return new Tensor(at.argmax(new LongOptional(dimension), false));
    }

    /** Every element, or {@code least} where it is less. */
    public Tensor atLeast(long least) {
        return new Tensor(at.clamp_min(new Scalar(least)));
    }

    /** 1 where an element differs from {@code value}, else 0. */
    public Tensor differsFrom(long value) {
        return new Tensor(at.ne(new Scalar(value)));
    }

    /** Copies the values of {@code source} into this memory, outside of any history. */
    public Tensor set(Tensor source) {
        at.copy_(source.at);
        return this;
    }

    /** Adds to this memory in place. */
    public Tensor add(Tensor other) {
        at.add_(other.at);
        return this;
    }

    /** Whether only some rows are stored, as in the gradient of an embedding. */
    public boolean isSparse() {
        return at.is_sparse();
    }

    /** Adds the stored rows of a sparse matrix to this dense one in place. */
    public Tensor addRows(Tensor sparse) {
        // The handles must be gone at once, else LibTorch copies the gradient before it stores it.
        try (org.bytedeco.pytorch.Tensor indices = sparse.at._indices();
                org.bytedeco.pytorch.Tensor rows = indices.select(0, 0);
                org.bytedeco.pytorch.Tensor values = sparse.at._values()) {
            at.index_add_(0, rows, values);
        }
        return this;
    }

    /** Fills this memory with zeros. */
    public Tensor setZero() {
        at.zero_();
        return this;
    }

    /** Fills this memory with a number. */
    public Tensor fill(double value) {
        at.fill_(new Scalar(value));
        return this;
    }

    /** Writes the matrix product {@code left right} into this memory. */
    public Tensor setProduct(Tensor left, Tensor right) {
        torch.mm_out(at, left.at, right.at);
        return this;
    }

    /** Adds the matrix product {@code left right} in place. */
    public Tensor addProduct(Tensor left, Tensor right) {
        at.addmm_(left.at, right.at);
        return this;
    }

    /** Subtracts the matrix product {@code left right} in place. */
    public Tensor subtractProduct(Tensor left, Tensor right) {
        at.addmm_(left.at, right.at, new Scalar(1.0), new Scalar(-1.0));
        return this;
    }

    /** Writes the sums of a matrix's columns into this memory. */
    public Tensor setColumnSums(Tensor matrix) {
        torch.sum_out(at, matrix.at, 0);
        return this;
    }

    /** Whether a gradient of it or of what it came from is wanted. */
    public boolean requiresGradient() {
        return at.requires_grad();
    }

    /** Divides in place. */
    public Tensor divide(double divisor) {
        at.div_(new Scalar(divisor));
        return this;
    }

    /** The type of the elements. */
    public ElementType type() {
        return Types.elementType(at.scalar_type());
    }
}
