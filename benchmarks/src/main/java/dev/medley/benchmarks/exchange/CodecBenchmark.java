package dev.medley.benchmarks.exchange;

import dev.medley.base.Seeds;
import dev.medley.base.memory.ElementType;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.time.Clock;
import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.codec.CodecResidual;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Measures the speed of codecs, in GB of float32 a second on one core. They encode and decode cells
 * of 256 KiB out of 16 MiB of gaussians; median and quarters of some passes. Prints a table.
 */
public final class CodecBenchmark {
    private static final int CELL_BYTES = 256 << 10;
    private static final int CELLS = 64;
    private static final int PASSES = 41;
    private static final int WARM_UP = 40;

    private final Codec codec;
    private final ByteBuffer[] values = new ByteBuffer[CELLS];
    private final ByteBuffer[] encoded = new ByteBuffer[CELLS];
    private final CodecResidual[] residuals = new CodecResidual[CELLS];
    private final Clock clock = Clock.system();

    private CodecBenchmark(Codec codec) {
        this.codec = codec;
        RandomGenerator random = Seeds.generator(1);
        for (int cell = 0; cell < CELLS; cell++) {
            values[cell] = memory(CELL_BYTES);
            for (int at = 0; at < CELL_BYTES; at += Float.BYTES) {
                values[cell].putFloat(at, (float) random.nextGaussian());
            }
            encoded[cell] = memory(codec.encodedBytes(CELL_BYTES / Float.BYTES));
            residuals[cell] = new CodecResidual(CELL_BYTES / Float.BYTES);
        }
    }

    /** No arguments. */
    public static void main(String[] arguments) {
        System.out.println("| codec | encode | with error feedback | decode |");
        System.out.println("|---|---|---|---|");
        for (Compress kind : Compress.values()) {
            Codec.of(kind, CodecSpec.DEFAULT)
                    .ifPresent(codec -> new CodecBenchmark(codec).measure());
        }
    }

    private void measure() {
        ElementType type = ElementType.FLOAT32;
        String encode = speed(i -> codec.encode(values[i], type, encoded[i]));
        String feedback =
                speed(
                        i -> {
                            codec.encode(values[i], type, encoded[i], residuals[i]);
                            residuals[i].commit();
                        });
        String decode = speed(i -> codec.decode(encoded[i], type, values[i]));
        System.out.printf("| %s | %s | %s | %s |%n", codec.name(), encode, feedback, decode);
    }

    private String speed(java.util.function.IntConsumer work) {
        double[] gigabytes = new double[PASSES];
        for (int pass = -WARM_UP; pass < PASSES; pass++) {
            long startNs = clock.nowNs();
            for (int cell = 0; cell < CELLS; cell++) {
                work.accept(cell);
            }
            if (pass >= 0) {
                gigabytes[pass] = (double) CELLS * CELL_BYTES / (clock.nowNs() - startNs);
            }
        }
        Arrays.sort(gigabytes);
        return String.format(
                Locale.ROOT,
                "%.2f (%.2f-%.2f)",
                gigabytes[PASSES / 2],
                gigabytes[PASSES / 4],
                gigabytes[PASSES * 3 / 4]);
    }

    private static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }
}
