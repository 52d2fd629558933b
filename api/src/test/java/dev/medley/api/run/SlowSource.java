package dev.medley.api.run;

import dev.medley.base.job.Signature;
import dev.medley.base.memory.ElementType;
import dev.medley.store.dataset.SampleSource;
import dev.medley.store.encoding.Targets;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Numbers whose samples take 0.4 ms each to be read in the process of the second launch. */
public final class SlowSource implements SampleSource {
    private static final long READING_NS = 400_000;

    private final boolean isSlow = Handicap.isSecondLaunch();

    @Override
    public Signature signature() {
        Signature.Input pair =
                new Signature.Input("pair", ElementType.FLOAT32, List.of(2), List.of());
        return new Signature(List.of(pair), Targets.ofClasses(List.of("below", "above")));
    }

    @Override
    public long size() {
        return 12_000;
    }

    @Override
    public void read(long index, List<ByteBuffer> inputs, ByteBuffer target) {
        float x = index % 97;
        float y = index % 89;
        inputs.get(0).putFloat(x).putFloat(y);
        target.putFloat(x > y ? 1 : 0);
        if (isSlow) {
            LockSupport.parkNanos(READING_NS); // A disk takes no time of the processor.
        }
    }
}
