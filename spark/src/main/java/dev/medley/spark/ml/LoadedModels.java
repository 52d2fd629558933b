package dev.medley.spark.ml;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Keeps models that a process computes with loaded: the last ones that were used, as many as there
 * is room for. One that has to go is closed when nobody computes with it any more.
 *
 * <p>Thread: any.
 *
 * @param <M> a model
 */
final class LoadedModels<M> {
    private final int most;
    private final long mostBytes;
    private final Consumer<M> closing;
    private final Map<String, Kept<M>> kept = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Of none yet.
     *
     * @param most models that stay
     * @param mostBytes of the files of those that stay; the last one always does
     * @param closing of one that is gone
     */
    LoadedModels(int most, long mostBytes, Consumer<M> closing) {
        this.closing = closing;
        this.most = most;
        this.mostBytes = mostBytes;
    }

    private static final class Kept<M> {
        private final M model;
        private final long bytes;
        private int users;
        private boolean isGone;

        Kept(M model, long bytes) {
            this.model = model;
            this.bytes = bytes;
        }
    }

    /** A model in use, until it is closed. */
    final class Use implements AutoCloseable {
        private final Kept<M> of;
        private boolean isClosed;

        private Use(Kept<M> of) {
            this.of = of;
        }

        M model() {
            return of.model;
        }

        /** Gives it back; a second call does nothing. */
        @Override
        public void close() {
            boolean isLast;
            synchronized (LoadedModels.this) {
                if (isClosed) {
                    return;
                }
                isClosed = true;
                of.users--;
                isLast = of.users == 0 && of.isGone;
            }
            if (isLast) {
                closing.accept(of.model);
            }
        }
    }

    /**
     * The model of that name, for a while.
     *
     * @param bytes of its files
     * @param loading of it, where it is not here
     */
    Use use(String name, long bytes, Supplier<M> loading) {
        List<Kept<M>> unused = new ArrayList<>();
        Use use;
        synchronized (this) {
            Kept<M> found = kept.get(name);
            if (found == null) {
                found = new Kept<>(loading.get(), bytes);
                kept.put(name, found);
            }
            found.users++;
            use = new Use(found);
            makeRoom(found, unused);
        }
        unused.forEach(gone -> closing.accept(gone.model));
        return use;
    }

    private void makeRoom(Kept<M> wanted, List<Kept<M>> unused) {
        long bytes = kept.values().stream().mapToLong(each -> each.bytes).sum();
        Iterator<Kept<M>> eldest = kept.values().iterator();
        while (eldest.hasNext() && (kept.size() > most || bytes > mostBytes)) {
            Kept<M> next = eldest.next();
            if (next == wanted) {
                continue;
            }
            eldest.remove();
            bytes -= next.bytes;
            next.isGone = true;
            if (next.users == 0) {
                unused.add(next);
            }
        }
    }
}
