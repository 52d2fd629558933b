package dev.medley.net.door;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Holds the callers of a port that have not yet shown who they are, up to a limit. A new caller at
 * a full port takes the place of the one that has waited longest. So a caller that can prove at
 * once who it is gets in, however many others wait.
 *
 * <p>Thread: any.
 */
public final class UnknownCallers {
    private final int most;
    private final Set<Closeable> waiting = new LinkedHashSet<>(); // Guarded by this.

    /** Places for {@code most}. */
    public UnknownCallers(int most) {
        this.most = most;
    }

    /** Somebody came; false if the one who waited longest had to leave for it. */
    public synchronized boolean came(Closeable caller) {
        boolean hasRoom = waiting.size() < most;
        if (!hasRoom) {
            sendEldestAway();
        }
        waiting.add(caller);
        return hasRoom;
    }

    /** It has shown who it is, or is gone. */
    public synchronized void left(Closeable caller) {
        waiting.remove(caller);
    }

    /** Frees one descriptor where none is left. */
    public synchronized void sendEldestAway() {
        Iterator<Closeable> eldest = waiting.iterator();
        if (eldest.hasNext()) {
            Closeable caller = eldest.next();
            eldest.remove();
            try {
                caller.close();
            } catch (IOException gone) {
                // That was the wish.
            }
        }
    }
}
