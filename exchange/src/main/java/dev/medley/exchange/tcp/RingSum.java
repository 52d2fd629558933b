package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.sum.Adder;
import dev.medley.exchange.sum.Parts;
import dev.medley.exchange.sum.Slice;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Large slices: a ring. Each rank sends to the next and receives from the one before, in 2(n-1)
 * steps of one part each. In the first n-1 a part gathers the values of one rank after the other
 * (reduce-scatter), in the others the whole sums go round (all-gather). A rank sends 2(n-1)/n of
 * the slice's bytes, whatever n.
 *
 * <p>What is sent in a step is what was received in the step before. So both directions are plain
 * streams: a byte may be sent on as soon as it was received and added, and nobody waits for the end
 * of a step. Sums happen in place: a part's partial sum is overwritten only by its whole sum, which
 * cannot exist before the partial one was sent.
 */
final class RingSum {
    private final Peers peers;
    private final Adder adder;
    private final int segmentBytes;
    private final int next;
    private final int before;
    private final ByteBuffer scratch;
    private final ByteBuffer[] pair = new ByteBuffer[2];
    private final ByteBuffer greeting = ByteBuffer.allocateDirect(SliceFrame.BYTES);
    private final ByteBuffer greeted = ByteBuffer.allocateDirect(SliceFrame.BYTES);

    RingSum(Peers peers, Adder adder, int segmentBytes) {
        this.peers = peers;
        this.adder = adder;
        this.segmentBytes = segmentBytes;
        this.next = (peers.rank() + 1) % peers.size();
        this.before = (peers.rank() + peers.size() - 1) % peers.size();
        this.scratch = ByteBuffer.allocateDirect(segmentBytes).order(ByteOrder.nativeOrder());
    }

    void sum(Slice slice, Span values) throws FaultSignal {
        Turn turn = new Turn(slice, values);
        SliceFrame.put(greeting.clear(), slice);
        greeting.flip();
        greeted.clear();
        peers.expect(before);
        while (!turn.isDone()) {
            boolean hasMoved = turn.send();
            hasMoved |= turn.receive();
            if (hasMoved) {
                peers.moved();
            } else if (!peers.looksAgain()) {
                sleep(turn);
            }
        }
    }

    private void sleep(Turn turn) throws FaultSignal {
        Interest read = turn.isReceived() ? Interest.NONE : Interest.READ;
        Interest write = turn.canSend() ? Interest.WRITE : Interest.NONE;
        peers.expect(turn.isReceived() ? next : before);
        if (next == before) {
            peers.want(next, Interest.of(read, write));
        } else {
            peers.want(before, read);
            peers.want(next, write);
        }
        peers.sleep();
    }

    /** One slice on its way round. */
    private final class Turn {
        private final Slice slice;
        private final Span values;
        private final Parts parts;
        private final int lastStep = 2 * (peers.size() - 1) - 1;

        private int sendStep;
        private long sentBytes;
        private int receiveStep;
        private long receivedBytes;

        Turn(Slice slice, Span values) {
            this.slice = slice;
            this.values = values;
            this.parts = new Parts(slice, peers.size());
            scratch.clear();
            skipEmpty();
        }

        boolean isDone() {
            return sendStep > lastStep && isReceived() && !greeting.hasRemaining();
        }

        boolean isReceived() {
            return receiveStep > lastStep && !greeted.hasRemaining();
        }

        boolean canSend() {
            return greeting.hasRemaining() || sendable() > 0;
        }

        /** Bytes of the current part that may go now. */
        private long sendable() {
            if (sendStep > lastStep) {
                return 0;
            }
            long upTo =
                    sendStep == receiveStep + 1 ? receivedBytes : parts.bytes(sendPart(sendStep));
            return sendStep > receiveStep + 1 ? 0 : upTo - sentBytes;
        }

        boolean send() throws FaultSignal {
            if (greeting.hasRemaining() && peers.write(next, greeting) == 0) {
                return false;
            }
            long length = Math.min(sendable(), segmentBytes);
            if (length == 0) {
                return false;
            }
            long start = parts.startBytes(sendPart(sendStep)) + sentBytes;
            int sent = peers.write(next, values.slice(start, length).buffers().get(0));
            sentBytes += sent;
            skipEmpty();
            return sent > 0;
        }

        boolean receive() throws FaultSignal {
            if (greeted.hasRemaining()) {
                boolean hasMoved = peers.read(before, greeted) > 0;
                if (!greeted.hasRemaining()) {
                    SliceFrame.check(greeted.flip(), slice, peers, before);
                    greeted.position(greeted.limit());
                }
                return hasMoved;
            }
            if (receiveStep > lastStep) {
                return false;
            }
            boolean hasMoved = receiveStep < peers.size() - 1 ? receiveAndAdd() : receiveSum();
            skipEmpty();
            return hasMoved;
        }

        private boolean receiveAndAdd() throws FaultSignal {
            int part = sendPart(receiveStep + 1);
            long left = parts.bytes(part) - receivedBytes;
            scratch.limit((int) Math.min(scratch.capacity(), left));
            if (peers.read(before, scratch) == 0) {
                return false;
            }
            int whole = scratch.position() / slice.type().bytes() * slice.type().bytes();
            int done = 0;
            for (ByteBuffer own :
                    values.slice(parts.startBytes(part) + receivedBytes, whole).buffers()) {
                pair[0] = scratch.slice(done, own.remaining()).order(ByteOrder.nativeOrder());
                pair[1] = own;
                adder.sum(own, pair, slice.type());
                done += own.capacity();
            }
            scratch.flip().position(whole);
            scratch.compact();
            receivedBytes += whole;
            return true;
        }

        private boolean receiveSum() throws FaultSignal {
            int part = sendPart(receiveStep + 1);
            long left = Math.min(parts.bytes(part) - receivedBytes, segmentBytes);
            long start = parts.startBytes(part) + receivedBytes;
            int count = peers.read(before, values.slice(start, left).buffers().get(0));
            receivedBytes += count;
            return count > 0;
        }

        /** The part that this rank sends in {@code step}, and receives in the step before. */
        private int sendPart(int step) {
            int size = peers.size();
            return Math.floorMod(peers.rank() - 1 - step, size);
        }

        /** Goes on to the next step where a part is complete. */
        private void skipEmpty() {
            while (receiveStep <= lastStep
                    && receivedBytes == parts.bytes(sendPart(receiveStep + 1))) {
                receiveStep++;
                receivedBytes = 0;
            }
            while (sendStep <= lastStep && sentBytes == parts.bytes(sendPart(sendStep))) {
                sendStep++;
                sentBytes = 0;
            }
        }
    }
}
