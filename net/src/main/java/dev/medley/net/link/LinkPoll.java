package dev.medley.net.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Waits for any of several links. Belongs to one thread at a time; only {@link #wake} may be called
 * from another.
 */
public final class LinkPoll implements AutoCloseable {
    private static final long NS_PER_MS = 1_000_000;

    private final Selector selector;
    private final Map<Link, SelectionKey> keys = new HashMap<>();

    /** The links that may hold bytes which the selector does not know of. */
    private final List<Link> secured = new ArrayList<>();

    /** A poll without links. */
    public LinkPoll() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector: too many open files?", e);
        }
    }

    /** Sets what to wait for on a link; cheap when nothing changes. A closed link is left out. */
    public void want(Link link, Interest interest) {
        SelectionKey key = keys.get(link);
        if (key == null) {
            register(link, interest);
        } else if (key.isValid() && key.interestOps() != interest.operations()) {
            key.interestOps(interest.operations());
        }
    }

    /** Whether bytes of slices or state are waited for from that peer. */
    public boolean isReadingFrom(int peerRank) {
        return keys.entrySet().stream()
                .anyMatch(
                        entry ->
                                entry.getKey().peerRank() == peerRank
                                        && !entry.getKey().lane().equals(Lane.CONTROL)
                                        && entry.getValue().isValid()
                                        && (entry.getValue().interestOps() & SelectionKey.OP_READ)
                                                != 0);
    }

    /**
     * Waits until a link is ready for what was wanted of it, {@link #wake} was called, or the time
     * is up; links that are ready are handed to {@code ready}. Milliseconds are rounded up, zero
     * looks without waiting.
     */
    public void await(long timeoutNs, Consumer<Link> ready) {
        try {
            Consumer<SelectionKey> each = key -> ready.accept((Link) key.attachment());
            if (!secured.isEmpty() && handOutHeld(ready)) {
                selector.selectNow(key -> acceptUnlessHeld(key, ready));
            } else if (timeoutNs <= 0) {
                selector.selectNow(each);
            } else {
                selector.select(each, (timeoutNs + NS_PER_MS - 1) / NS_PER_MS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("select failed", e);
        }
    }

    /** Ends the current or the next {@link #await} at once. From any thread. */
    public void wake() {
        selector.wakeup();
    }

    /** Lets go of the links, which stay open. */
    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException ignored) {
            // Nothing is waiting on it any more.
        }
    }

    /** Secured links that wait for nothing but to be read; whether there were any. */
    private boolean handOutHeld(Consumer<Link> ready) {
        boolean isAny = false;
        for (Link link : secured) {
            if (isHeld(link)) {
                ready.accept(link);
                isAny = true;
            }
        }
        return isAny;
    }

    private void acceptUnlessHeld(SelectionKey key, Consumer<Link> ready) {
        Link link = (Link) key.attachment();
        if (!isHeld(link)) {
            ready.accept(link);
        }
    }

    private boolean isHeld(Link link) {
        SelectionKey key = keys.get(link);
        return link.holdsBytes()
                && key != null
                && key.isValid()
                && (key.interestOps() & SelectionKey.OP_READ) != 0;
    }

    private void register(Link link, Interest interest) {
        try {
            if (link.isSecured()) {
                secured.add(link);
            }
            keys.put(link, link.channel().register(selector, interest.operations(), link));
        } catch (ClosedChannelException closed) {
            // A closed link is never ready.
        }
    }
}
