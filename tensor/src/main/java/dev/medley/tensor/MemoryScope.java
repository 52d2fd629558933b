package dev.medley.tensor;

import org.bytedeco.javacpp.PointerScope;

/**
 * Frees the native memory of every tensor made inside it, at its end. One scope encloses each step,
 * so that resident memory stays flat; without it a tensor lives until the garbage collector finds
 * its small Java handle, which may be never.
 *
 * <p>A tensor that must outlive the scope is {@linkplain Tensor#keep() kept}. Belongs to the thread
 * that opened it; scopes nest.
 */
public final class MemoryScope implements AutoCloseable {
    private final PointerScope scope;

    private MemoryScope() {
        scope = new PointerScope();
    }

    /** Opens a scope on this thread. */
    public static MemoryScope open() {
        return new MemoryScope();
    }

    @Override
    public void close() {
        scope.close();
    }
}
