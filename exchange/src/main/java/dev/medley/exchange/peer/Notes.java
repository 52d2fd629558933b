package dev.medley.exchange.peer;

import dev.medley.base.Fault;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import dev.medley.net.link.Lane;
import dev.medley.net.link.Link;
import dev.medley.net.link.LinkPoll;
import dev.medley.net.link.Mesh;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends and reads the notes of all members on their control links, and keeps what they tell. So it
 * knows which rank waits for which, which have left, and which have voted. It never waits; {@link
 * Peers} does.
 */
final class Notes {
    private final int rank;
    private final LinkPoll poll;
    private final Blame blame;
    private final Pings pings;
    private final @Nullable PeerNotes[] ears;
    private final List<PeerNotes> heard = new ArrayList<>();
    private final Map<Integer, @Nullable String[]> ballots = new HashMap<>();

    Notes(int rank, Mesh mesh, LinkPoll poll, Blame blame, Pings pings) {
        this.rank = rank;
        this.pings = pings;
        this.poll = poll;
        this.blame = blame;
        this.ears = new @Nullable PeerNotes[blame.size()];
        for (int peer = 0; peer < ears.length; peer++) {
            if (peer != rank) {
                Link link = mesh.link(peer, Lane.CONTROL);
                ears[peer] = new PeerNotes(link, ears.length);
                poll.want(link, Interest.READ);
            }
        }
    }

    // ---- Saying

    /** Says it to one; nothing to oneself. A broken link is a fault. */
    void say(int peer, Note note) throws FaultSignal {
        PeerNotes ear = ears[peer];
        if (ear != null) {
            ear.say(note);
        }
    }

    /** Says it to all who still listen. */
    void sayQuietly(Note note) {
        for (PeerNotes ear : ears) {
            try {
                if (ear != null) {
                    ear.say(note);
                }
            } catch (FaultSignal gone) {
                // Who does not listen any more does not need to know.
            }
        }
    }

    /** Writes what could not be written before. */
    void flush() throws FaultSignal {
        for (PeerNotes ear : ears) {
            if (ear != null && ear.isBehind()) {
                ear.flush();
            }
        }
    }

    // ---- Hearing

    /** A link has something to read; a note if it is a control link. */
    void ready(Link link) {
        PeerNotes ear = ears[link.peerRank()];
        if (link.lane().equals(Lane.CONTROL) && ear != null) {
            heard.add(ear);
        }
    }

    /** Hears those that were ready. */
    void hearReady() throws FaultSignal {
        try {
            for (PeerNotes ear : heard) {
                listen(ear);
            }
        } finally {
            heard.clear();
        }
    }

    /** Hears everybody. */
    void hearAll() throws FaultSignal {
        for (PeerNotes ear : ears) {
            if (ear != null) {
                listen(ear);
            }
        }
    }

    // ---- What is known

    /** Whether a peer left in good order. */
    boolean hasLeft(int peer) {
        PeerNotes ear = ears[peer];
        return ear != null && ear.hasLeft;
    }

    /** Whether nothing more will be heard of a peer. */
    boolean isClosed(int peer) {
        PeerNotes ear = ears[peer];
        return ear == null || ear.isClosed;
    }

    /** Whether a peer has said that it waits for this rank. */
    boolean isWaitedFor(int rank) {
        for (PeerNotes ear : ears) {
            if (ear != null && ear.waitsFor != null && ear.waitsFor == rank) {
                return true;
            }
        }
        return false;
    }

    /** The end of the chain of those who wait for each other, from {@code awaited} on. */
    int culprit(int awaited) {
        Set<Integer> chain = new HashSet<>();
        int culprit = awaited;
        while (chain.add(culprit)) {
            PeerNotes ear = ears[culprit];
            if (ear == null || ear.waitsFor == null || ear.waitsFor == rank) {
                break;
            }
            culprit = ear.waitsFor;
        }
        return culprit;
    }

    /** The votes of a ballot by rank, null for those that have not come. */
    @Nullable String[] votes(int ballot) {
        return ballots.computeIfAbsent(ballot, any -> new @Nullable String[ears.length]);
    }

    void forgetVotes(int ballot) {
        ballots.remove(ballot);
    }

    private void listen(PeerNotes ear) throws FaultSignal {
        int peer = ear.link().peerRank();
        for (Note note = ear.next(); note != null; note = ear.next()) {
            understand(ear, peer, note);
        }
        if (ear.isGarbled) {
            poll.want(ear.link(), Interest.NONE);
            String what = " sent what is no note of this group";
            throw blame.fault(Fault.Kind.PEER, peer, blame.name(peer) + what);
        }
        if (ear.isClosed) {
            poll.want(ear.link(), Interest.NONE);
            if (!ear.hasLeft) {
                listenToRelay(peer);
                throw blame.fault(
                        Fault.Kind.PEER,
                        peer,
                        blame.name(peer) + " is gone: it closed its connections without a word");
            }
        }
    }

    /** With a relay the links end that go through it: if it is gone too, it is to blame. */
    private void listenToRelay(int peer) throws FaultSignal {
        OptionalInt relay = blame.relay(peer);
        PeerNotes ear = relay.isPresent() ? ears[relay.getAsInt()] : null;
        if (ear != null) {
            listen(ear);
        }
    }

    private void understand(PeerNotes ear, int peer, Note note) throws FaultSignal {
        switch (note.kind()) {
            case DOORBELL -> {}
            case WAITING -> ear.waitsFor = note.rank();
            case GOING_ON -> ear.waitsFor = null;
            case VOTE -> votes(note.value())[peer] = note.text();
            case PING -> ear.say(new Note(Note.Kind.PONG, rank, note.value(), ""));
            case PONG -> pings.answered(peer, note.value());
            case BYE -> ear.hasLeft = true;
            case FAULT ->
                    throw new FaultSignal(
                            new Fault(
                                    Note.kindOf(note.value()),
                                    blame.name(note.rank()),
                                    told(peer, note)));
        }
    }

    /** The text of a fault from a peer; where it blames this rank, with the name of that peer. */
    private String told(int peer, Note fault) {
        return fault.rank() == rank ? blame.name(peer) + " says: " + fault.text() : fault.text();
    }
}
