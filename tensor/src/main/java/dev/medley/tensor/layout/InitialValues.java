package dev.medley.tensor.layout;

import dev.medley.base.Seeds;
import dev.medley.tensor.layer.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.function.DoubleConsumer;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;

/** Draws the initial values of parameters, which are a function of the seed and their names. */
public final class InitialValues {
    private InitialValues() {}

    /** Hands over the elements of a parameter in row-major order. */
    public static void draw(Parameter parameter, Slot slot, long seed, DoubleConsumer taker) {
        CRC32 name = new CRC32();
        name.update(slot.name().getBytes(StandardCharsets.UTF_8));
        RandomGenerator random = Seeds.generator(seed, name.getValue());
        for (long left = parameter.count(); left > 0; left--) {
            taker.accept(parameter.initializer().draw(random));
        }
    }
}
