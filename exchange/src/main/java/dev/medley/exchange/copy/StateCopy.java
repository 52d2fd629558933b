package dev.medley.exchange.copy;

import dev.medley.base.Fault;
import dev.medley.base.memory.Span;
import dev.medley.exchange.peer.Peers;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Copies spans from one rank to others, each over its own link, in the order given. */
public final class StateCopy {
    private static final long MAGIC = 0x636F70795F5F3031L;
    private static final int FRAME_BYTES = 3 * Long.BYTES;
    private static final int MOST_AT_ONCE_BYTES = 1 << 20;

    private final Peers peers;
    private long number;

    /** Copies over the data links of {@code peers}. */
    public StateCopy(Peers peers) {
        this.peers = peers;
    }

    /** One copy; every rank of the group calls it. */
    public void copy(int from, Collection<Integer> to, List<Span> spans) throws FaultSignal {
        number++;
        if (from == peers.rank()) {
            List<Flow> flows = new ArrayList<>();
            for (int peer : to) {
                if (peer != from) {
                    flows.add(new Flow(peer, spans, frame(spans)));
                }
            }
            send(flows);
        } else if (to.contains(peers.rank())) {
            receive(from, spans);
        }
    }

    private void send(List<Flow> flows) throws FaultSignal {
        while (!flows.isEmpty()) {
            boolean hasMoved = false;
            for (Flow flow : flows) {
                hasMoved |= peers.write(flow.peer, flow.current()) > 0;
            }
            flows.removeIf(flow -> !flow.goesOn());
            if (hasMoved) {
                peers.moved();
            } else if (!flows.isEmpty() && !peers.looksAgain()) {
                for (Flow flow : flows) {
                    peers.expect(flow.peer);
                    peers.want(flow.peer, Interest.WRITE);
                }
                peers.sleep();
                for (Flow flow : flows) {
                    peers.want(flow.peer, Interest.NONE);
                }
            }
        }
    }

    private void receive(int from, List<Span> spans) throws FaultSignal {
        peers.expect(from);
        peers.want(from, Interest.READ);
        ByteBuffer frame = ByteBuffer.allocateDirect(FRAME_BYTES);
        Flow flow = new Flow(from, spans, frame);
        boolean isGreeted = false;
        do {
            if (peers.read(from, flow.current()) > 0) {
                peers.moved();
            } else if (flow.current().hasRemaining() && !peers.looksAgain()) {
                peers.sleep();
            }
            if (!isGreeted && !frame.hasRemaining()) {
                check(frame.flip(), from, spans);
                frame.position(frame.limit());
                isGreeted = true;
            }
        } while (flow.goesOn());
        peers.want(from, Interest.NONE);
    }

    private ByteBuffer frame(List<Span> spans) {
        ByteBuffer frame = ByteBuffer.allocateDirect(FRAME_BYTES);
        return frame.putLong(MAGIC).putLong(number).putLong(total(spans)).flip();
    }

    private void check(ByteBuffer frame, int from, List<Span> spans) throws FaultSignal {
        boolean isCopy = frame.getLong() == MAGIC;
        long theirNumber = frame.getLong();
        long theirBytes = frame.getLong();
        if (!isCopy || theirNumber != number || theirBytes != total(spans)) {
            throw peers.fault(
                    Fault.Kind.PEER,
                    from,
                    "%s sent copy %d with %d bytes, not copy %d with %d"
                            .formatted(
                                    peers.name(from),
                                    theirNumber,
                                    theirBytes,
                                    number,
                                    total(spans)));
        }
    }

    private static long total(List<Span> spans) {
        return spans.stream().mapToLong(Span::bytes).sum();
    }

    /** A frame and then spans, on their way to or from one peer. */
    private static final class Flow {
        final int peer;
        private final List<ByteBuffer> pieces = new ArrayList<>();
        private int index;

        Flow(int peer, List<Span> spans, ByteBuffer frame) {
            this.peer = peer;
            pieces.add(frame);
            for (Span span : spans) {
                pieces.addAll(span.buffers());
            }
        }

        /** The piece that is under way, no more than moves at once. */
        ByteBuffer current() {
            ByteBuffer piece = pieces.get(index);
            int end = Math.min(piece.capacity(), piece.position() + MOST_AT_ONCE_BYTES);
            return index == 0 ? piece : piece.limit(end);
        }

        /** Whether anything is left. */
        boolean goesOn() {
            while (index < pieces.size() && isThrough(pieces.get(index))) {
                index++;
            }
            return index < pieces.size();
        }

        private boolean isThrough(ByteBuffer piece) {
            return index == 0 ? !piece.hasRemaining() : piece.position() == piece.capacity();
        }
    }
}
