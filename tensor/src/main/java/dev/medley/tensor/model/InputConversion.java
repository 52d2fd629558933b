package dev.medley.tensor.model;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layout.Slot.MemoryOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the arrays of a batch into tensors as networks take them. Indices become INT64; numbers get
 * the model's type, without a copy if they have it; UINT8 numbers are scaled from 0..255 to [0, 1].
 */
record InputConversion(Signature signature, ElementType type, MemoryOrder imageOrder) {
    private static final double BRIGHTEST = 255;

    List<Tensor> inputs(Batch batch) {
        List<Input> expected = signature.inputs();
        if (batch.inputs().size() != expected.size()) {
            throw new IllegalStateException(
                    "a batch of " + batch.inputs().size() + " inputs for " + expected.size());
        }
        List<Tensor> tensors = new ArrayList<>();
        for (int i = 0; i < expected.size(); i++) {
            tensors.add(input(batch.inputs().get(i), expected.get(i)));
        }
        return tensors;
    }

    /** Numbers of a sample's first input. */
    long elements() {
        return signature.inputs().get(0).shape().stream()
                .mapToLong(Integer::longValue)
                .reduce(1, (a, b) -> a * b);
    }

    Tensor target(Batch batch) {
        Tensor target = Tensor.aliasOf(batch.target());
        TargetKind kind = signature.target().kind();
        boolean isIndices = kind == TargetKind.CLASSES || kind == TargetKind.TOKENS;
        return target.to(isIndices ? ElementType.INT64 : type);
    }

    /** The weight of each sample; null where all count one. */
    @Nullable Tensor weights(Batch batch) {
        return batch.weights() == null ? null : Tensor.aliasOf(batch.weights()).to(type);
    }

    private Tensor input(HostArray array, Input input) {
        Tensor tensor = Tensor.aliasOf(array);
        if (!input.cardinalities().isEmpty() && !input.isTerms()) {
            return tensor.to(ElementType.INT64);
        }
        Tensor numbers = tensor.to(type);
        if (array.type() == ElementType.UINT8) {
            numbers = numbers.divide(BRIGHTEST);
        }
        boolean isImage = numbers.rank() == 4 && imageOrder == MemoryOrder.CHANNELS_LAST;
        return isImage ? numbers.channelsLast() : numbers;
    }
}
