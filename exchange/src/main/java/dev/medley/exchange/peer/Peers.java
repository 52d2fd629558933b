package dev.medley.exchange.peer;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.StepTag;
import dev.medley.base.time.Clock;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import dev.medley.net.link.Lane;
import dev.medley.net.link.Link;
import dev.medley.net.link.LinkPoll;
import dev.medley.net.link.Mesh;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the other members of a group, and exchanges bytes and notes with them. Every wait of an
 * exchange goes through here: it ends when something moved, when a peer is lost, when the epoch was
 * sealed, or at the deadline, and then names the peer that was waited for.
 *
 * <p>A rank that ends a step tells all others why before it closes its links, so that everybody
 * names the culprit and not the messenger. A rank that has waited for a quarter of the deadline
 * says for whom; a rank that is waited for and waits itself says so at once, since the peer that it
 * waits for may have moved later. At the deadline the chain of waiting ranks leads to the one that
 * does not wait. If that one is reached through a relay, the relay is asked whether it lives: a
 * stopped relay silences every member behind it.
 */
public final class Peers implements AutoCloseable {
    private static final long NS_PER_MS = 1_000_000;
    private static final long LAST_WORDS_NS = 500 * NS_PER_MS;
    private static final int QUIET_PART = 4;

    private final int rank;
    private final Mesh mesh;
    private final Clock clock;
    private final LinkPoll poll = new LinkPoll();
    private final Link[] data;
    private final IntPredicate relayAnswers;
    private final AtomicReference<@Nullable Fault> verdict = new AtomicReference<>();

    // Owned by the holder of the role.
    private final Blame blame;
    private final Notes notes;
    private final Patience patience;
    private final Pings pings;
    private final Traffic traffic;
    private long timeoutNs;
    private int ballot;
    private int awaited;
    private boolean hasSaidThatItWaits;

    /**
     * The peers of {@code rank} in a group of two or more.
     *
     * @param timeoutNs longest wait in which nothing moves
     * @param relayAnswers whether the relay on the way to a rank still answers; asked at a deadline
     */
    public Peers(
            Group group,
            int rank,
            Mesh mesh,
            Clock clock,
            long timeoutNs,
            IntPredicate relayAnswers) {
        this.rank = rank;
        this.mesh = mesh;
        this.clock = clock;
        this.timeoutNs = timeoutNs;
        this.relayAnswers = relayAnswers;
        this.patience = new Patience(clock);
        this.data = new Link[group.size()];
        this.blame = new Blame(group, rank);
        this.pings = new Pings(group.size(), clock);
        this.traffic = new Traffic(group, rank, clock);
        this.notes = new Notes(rank, mesh, poll, blame, pings);
        for (int peer = 0; peer < group.size(); peer++) {
            if (peer != rank) {
                data[peer] = mesh.link(peer, Lane.DATA);
            }
        }
    }

    /** This member's rank. */
    public int rank() {
        return rank;
    }

    /** Number of members, this one included. */
    public int size() {
        return data.length;
    }

    /** A member as the user knows it. */
    public String name(int ofRank) {
        return blame.name(ofRank);
    }

    /** The link on which data goes to and comes from a peer. */
    public Link data(int peer) {
        return data[peer];
    }

    /** The link of any lane to a peer. */
    public Link link(int peer, Lane lane) {
        return mesh.link(peer, lane);
    }

    /** Sets the step that later messages name. */
    public void during(StepTag step) {
        blame.during(step);
    }

    /** The collective stands: from now on this is the longest wait in which nothing moves. */
    public void formed(long stepTimeoutNs) {
        timeoutNs = stepTimeoutNs;
        blame.formed();
    }

    /** The same members go on as another epoch. */
    public void continueAs(int epoch) {
        blame.continueAs(epoch);
    }

    /** Called by the training thread when all that is left to do is to wait. */
    public void waitEagerly() {
        patience.setEager(true);
    }

    /** Called when the training thread computes meanwhile. */
    public void waitPatiently() {
        patience.setEager(false);
    }

    /** Ends this epoch with {@code why}, unless it has ended. From any thread. */
    public void abort(Fault why) {
        verdict.compareAndSet(null, why);
        poll.wake();
    }

    /** Why this epoch has ended, or null while it lives. From any thread. */
    public @Nullable Fault verdict() {
        return verdict.get();
    }

    /** Throws if this epoch has ended. */
    public void check() throws FaultSignal {
        Fault fault = verdict.get();
        if (fault != null) {
            throw new FaultSignal(fault);
        }
    }

    // ---- Data

    /** Reads what has come on the data link; an end is a fault. */
    public int read(int peer, ByteBuffer into) throws FaultSignal {
        return read(data[peer], into);
    }

    /** Reads what has come; an end is a fault. */
    public int read(Link link, ByteBuffer into) throws FaultSignal {
        int peer = link.peerRank();
        int count;
        try {
            count = link.read(into);
        } catch (FaultSignal broken) {
            throw lost(peer, broken.fault());
        }
        if (count < 0) {
            throw lost(peer, null);
        }
        traffic.received(peer, count);
        return count;
    }

    /** Writes what can go on the data link; a broken link is a fault. */
    public int write(int peer, ByteBuffer from) throws FaultSignal {
        return write(data[peer], from);
    }

    /** Writes what can go; a broken link is a fault. */
    public int write(Link link, ByteBuffer from) throws FaultSignal {
        int peer = link.peerRank();
        try {
            int count = link.write(from);
            traffic.sent(peer, count);
            return count;
        } catch (FaultSignal broken) {
            throw lost(peer, broken.fault());
        }
    }

    /** The bytes that went and came. */
    public Traffic traffic() {
        return traffic;
    }

    /** Leaves out of the count the bytes up to now, which only served the forming. */
    public void forgetTraffic() {
        traffic.takeSent();
        traffic.takeReceived();
        traffic.take();
        takeWaitedNs();
    }

    /** Time spent waiting since the last call. */
    public long takeWaitedNs() {
        return patience.takeWaitedNs();
    }

    // ---- Waiting

    /** Names the peer that the next waits are for. */
    public void expect(int peer) {
        awaited = peer;
    }

    /** Something moved: the deadline begins anew. */
    public void moved() throws FaultSignal {
        patience.moved();
        if (hasSaidThatItWaits) {
            hasSaidThatItWaits = false;
            sayToAll(new Note(Note.Kind.GOING_ON, rank, 0, ""));
        }
    }

    /** Nothing moved. Whether to look again at once; if not, {@link #sleep}. */
    public boolean looksAgain() {
        return patience.looksAgain();
    }

    /** Sets what ends a sleep, beside notes of peers. */
    public void want(int peer, Interest interest) {
        want(data[peer], interest);
    }

    /** Sets what of a link ends a sleep, beside notes of peers. */
    public void want(Link link, Interest interest) {
        poll.want(link, interest);
    }

    /**
     * Sleeps until a wanted link is ready or a note came.
     *
     * @throws FaultSignal if a peer is lost, the epoch has ended or the deadline has passed
     */
    public void sleep() throws FaultSignal {
        check();
        // A farewell overtakes data on a long way: there the end of the data link tells.
        if (notes.hasLeft(awaited) && !poll.isReadingFrom(awaited)) {
            throw fault(Fault.Kind.PEER, awaited, name(awaited) + " left before all was exchanged");
        }
        patience.looksAgain();
        long silentNs = patience.silentNs();
        if (silentNs >= timeoutNs) {
            notes.hearAll();
            throw overdue(silentNs);
        }
        boolean isTimeToSay = silentNs >= timeoutNs / QUIET_PART || notes.isWaitedFor(rank);
        if (isTimeToSay && !hasSaidThatItWaits) {
            hasSaidThatItWaits = true;
            sayToAll(new Note(Note.Kind.WAITING, awaited, 0, ""));
        }
        notes.flush();
        long untilNs = hasSaidThatItWaits ? timeoutNs : timeoutNs / QUIET_PART;
        poll.await(Math.max(untilNs - silentNs, 1), notes::ready);
        notes.hearReady();
        check();
    }

    /**
     * Hears what has been said already, without waiting. A rank that comes late, with all data
     * there, learns here that the others have given the step up.
     */
    public void hearNow() throws FaultSignal {
        poll.await(0, notes::ready);
        notes.hearReady();
        check();
    }

    /** Ends this rank's sleep. From any thread. */
    public void wake() {
        poll.wake();
    }

    /** Rings at a peer that sleeps. */
    public void ring(int peer) throws FaultSignal {
        say(peer, new Note(Note.Kind.DOORBELL, rank, 0, ""));
    }

    // ---- Agreement

    /**
     * Says {@code vote} to all and waits for what all others say.
     *
     * @return the votes by rank
     */
    public List<String> vote(String vote) throws FaultSignal {
        int number = ballot++;
        @Nullable String[] votes = notes.votes(number);
        votes[rank] = vote;
        sayToAll(new Note(Note.Kind.VOTE, rank, number, vote));
        patience.moved();
        for (int peer = 0; peer < size(); peer++) {
            expect(peer);
            while (votes[peer] == null) {
                sleep();
            }
            moved();
        }
        notes.forgetVotes(number);
        List<String> all = new ArrayList<>();
        for (String each : votes) {
            all.add(Objects.requireNonNull(each));
        }
        return all;
    }

    /**
     * Measures the path to all peers by a few pings, while all others do the same. On paths of less
     * than a millisecond many fit into the time of few on a long one: the more, the likelier that
     * one met no busy process.
     *
     * @param fewest round trips to the farthest peer
     * @param most round trips
     * @param enoughNs after so long the fewest are enough
     * @return the shortest round trip to each rank in nanoseconds; zero to this one
     */
    public long[] ping(int fewest, int most, long enoughNs) throws FaultSignal {
        long beginNs = clock.nowNs();
        for (int i = 0; i < fewest || i < most && clock.nowNs() - beginNs < enoughNs; i++) {
            sayToAll(new Note(Note.Kind.PING, rank, pings.begin(), ""));
            patience.moved();
            for (int peer = 0; peer < size(); peer++) {
                expect(peer);
                while (peer != rank && !pings.hasAnswered(peer)) {
                    sleep();
                }
                moved();
            }
        }
        long[] shortestNs = pings.bestNs();
        shortestNs[rank] = 0;
        return shortestNs;
    }

    // ---- Ends

    /** Tells all peers why this epoch has ended, as far as they still listen. */
    public void tell(Fault fault) {
        int culprit = rank;
        for (int peer = 0; peer < size(); peer++) {
            if (name(peer).equals(fault.who())) {
                culprit = peer;
            }
        }
        String text = fault.message();
        Note note = new Note(Note.Kind.FAULT, culprit, Note.code(fault.kind()), text);
        notes.sayQuietly(note);
    }

    /** Tells all peers that this rank leaves in good order. */
    public void bye() {
        notes.sayQuietly(new Note(Note.Kind.BYE, rank, 0, ""));
    }

    /** Closes the links. */
    @Override
    public void close() {
        poll.close();
        mesh.close();
    }

    /** A fault of a peer, told with the step in which it happened. */
    public FaultSignal fault(Fault.Kind kind, int peer, String what) {
        return blame.fault(kind, peer, what);
    }

    private FaultSignal overdue(long silentNs) {
        int culprit = notes.culprit(awaited);
        OptionalInt relay = blame.relay(culprit);
        if (relay.isPresent() && !relayAnswers.test(culprit)) {
            String what =
                    "%s silent for %.1f s > %.1f s allowed, and so is %s, which it relays for";
            return fault(
                    Fault.Kind.PEER,
                    relay.getAsInt(),
                    what.formatted(
                            name(relay.getAsInt()),
                            silentNs / 1e9,
                            timeoutNs / 1e9,
                            name(culprit)));
        }
        String what =
                "%s silent for %.1f s > %.1f s allowed"
                        .formatted(name(culprit), silentNs / 1e9, timeoutNs / 1e9);
        String through = culprit == awaited ? "" : " (" + name(awaited) + " waits for it)";
        return fault(Fault.Kind.PEER, culprit, what + through);
    }

    /**
     * A data link ended: finds out by the control links who is to blame.
     *
     * @param broken what the link said, or null if the peer closed it
     */
    public FaultSignal lost(int peer, @Nullable Fault broken) {
        long untilNs = clock.awakeNs() + LAST_WORDS_NS;
        try {
            while (clock.awakeNs() < untilNs) {
                check();
                notes.hearAll();
                if (notes.isClosed(peer)) {
                    break;
                }
                poll.await(NS_PER_MS, notes::ready);
                notes.hearReady();
            }
        } catch (FaultSignal known) {
            return known;
        }
        return broken == null
                ? fault(Fault.Kind.PEER, peer, name(peer) + " closed its connection")
                : fault(broken.kind(), peer, broken.message());
    }

    // ---- Notes

    private void say(int peer, Note note) throws FaultSignal {
        try {
            notes.say(peer, note);
        } catch (FaultSignal broken) {
            throw lost(peer, broken.fault());
        }
    }

    private void sayToAll(Note note) throws FaultSignal {
        for (int peer = 0; peer < size(); peer++) {
            say(peer, note);
        }
    }
}
