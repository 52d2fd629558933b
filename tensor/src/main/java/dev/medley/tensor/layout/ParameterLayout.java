package dev.medley.tensor.layout;

import dev.medley.base.memory.ElementType;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layout.Slot.MemoryOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The place of each parameter in the flat buffer of parameters, and of its gradient in that of
 * gradients. They lie in layer order, each beginning on a cache line. The gaps hold zeros and stay
 * zero.
 *
 * @param type of parameters, gradients and statistics
 * @param slots of parameters, in layer order
 * @param statistics of what is remembered (batch normalisation), in a buffer of its own
 * @param constants of what stays as it was loaded, in a buffer that nobody sends
 */
public record ParameterLayout(
        ElementType type, List<Slot> slots, List<Slot> statistics, List<Slot> constants) {
    private static final int ALIGNMENT_BYTES = 64;

    public ParameterLayout {
        slots = List.copyOf(slots);
        statistics = List.copyOf(statistics);
        constants = List.copyOf(constants);
    }

    /** Without constants. */
    public ParameterLayout(ElementType type, List<Slot> slots, List<Slot> statistics) {
        this(type, slots, statistics, List.of());
    }

    /**
     * Lays out what was declared.
     *
     * @param order of the weights of convolutions
     */
    public static ParameterLayout of(
            Declaration declaration, ParameterGroups groups, ElementType type, MemoryOrder order) {
        return new ParameterLayout(
                type,
                slots(declaration.parameters(), name -> !groups.isFrozen(name), type, order),
                slots(declaration.statistics(), name -> false, type, MemoryOrder.ROW_MAJOR),
                slots(declaration.constants(), name -> false, type, MemoryOrder.ROW_MAJOR));
    }

    private static List<Slot> slots(
            Map<String, Parameter> declared,
            Predicate<String> isTrainable,
            ElementType type,
            MemoryOrder order) {
        List<Slot> slots = new ArrayList<>();
        for (Map.Entry<String, Parameter> entry : declared.entrySet()) {
            List<Long> shape = Arrays.stream(entry.getValue().shape()).boxed().toList();
            boolean isImage = shape.size() == 4 && order == MemoryOrder.CHANNELS_LAST;
            slots.add(
                    new Slot(
                            entry.getKey(),
                            shape,
                            isImage ? MemoryOrder.CHANNELS_LAST : MemoryOrder.ROW_MAJOR,
                            endOf(slots, type),
                            isTrainable.test(entry.getKey())));
        }
        return slots;
    }

    /** Elements of the flat buffers of parameters and of gradients, gaps included. */
    public long elements() {
        return endOf(slots, type);
    }

    /** Elements of the flat buffer of statistics, gaps included. */
    public long statisticElements() {
        return endOf(statistics, type);
    }

    /** Elements of the flat buffer of constants, gaps included. */
    public long constantElements() {
        return endOf(constants, type);
    }

    /** Bytes of the gradients' buffer. */
    public long gradientBytes() {
        return elements() * type.bytes();
    }

    /** Numbers that the model consists of, gaps and statistics not counted. */
    public long parameterCount() {
        return slots.stream().mapToLong(Slot::count).sum();
    }

    private static long endOf(List<Slot> slots, ElementType type) {
        if (slots.isEmpty()) {
            return 0;
        }
        long step = ALIGNMENT_BYTES / type.bytes();
        return (slots.get(slots.size() - 1).end() + step - 1) / step * step;
    }
}
