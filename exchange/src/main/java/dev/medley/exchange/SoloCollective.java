package dev.medley.exchange;

import dev.medley.base.Fault;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.post.Post;
import dev.medley.exchange.sum.Fidelity;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Serves a group of one, whose values are their own sum. */
final class SoloCollective implements Collective {
    private final Span buffer;
    private final @Nullable Post post;
    private final AtomicReference<@Nullable Fault> fault = new AtomicReference<>();

    SoloCollective(Span buffer, @Nullable Post post) {
        this.buffer = buffer;
        this.post = post;
    }

    @Override
    public @Nullable Post post() {
        return post;
    }

    @Override
    public @Nullable Fault ended() {
        return fault.get();
    }

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public String description() {
        return "one process, nothing to exchange";
    }

    @Override
    public Span buffer() {
        return buffer;
    }

    @Override
    public void begin(StepTag tag) {}

    @Override
    public void sum(long offsetBytes, long bytes, ElementType type, Fidelity fidelity) {
        Objects.checkFromIndexSize(offsetBytes, bytes, buffer.bytes());
    }

    @Override
    public List<Integer> mates() {
        return List.of(0);
    }

    @Override
    public void sumAtSite(long offsetBytes, long bytes, ElementType type) {
        sum(offsetBytes, bytes, type, Fidelity.EXACT);
    }

    @Override
    public void applied() {}

    @Override
    public boolean isSummed() {
        return true;
    }

    @Override
    public @Nullable Fault finish() {
        return fault.get();
    }

    @Override
    public @Nullable Fault copy(int from, Set<Integer> to, List<Span> spans) {
        return fault.get();
    }

    @Override
    public void abort(Fault why) {
        fault.compareAndSet(null, why);
        if (post != null) {
            post.end(why);
        }
    }

    @Override
    public ExchangeTimes times() {
        return post == null ? ExchangeTimes.NONE : ExchangeTimes.ofLetters(post.takeWaitedNs());
    }

    @Override
    public void close() {
        if (post != null) {
            post.close();
        }
    }
}
