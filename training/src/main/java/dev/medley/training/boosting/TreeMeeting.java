package dev.medley.training.boosting;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.trees.CollectiveTracker;
import dev.medley.trees.TreeGroup;
import dev.medley.trees.TreeLearner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the members of a group that have rows into a collective of XGBoost's: the first opens a
 * door, and tells the others where and with which key over the group's own exchange.
 */
final class TreeMeeting {
    private static final int KEY_BYTES = 16;
    private static final String LOOPBACK = "127.0.0.1";

    private final TreeLearner learner;
    private final long patienceNs;
    private @Nullable CollectiveTracker tracker;
    private List<Integer> gathered = List.of();

    TreeMeeting(TreeLearner learner, long patienceNs) {
        this.learner = learner;
        this.patienceNs = patienceNs;
    }

    /** Whether these are together. */
    boolean isOf(List<Integer> growers) {
        return growers.equals(gathered);
    }

    /**
     * Joins, where these are not together already; one alone has nobody to join.
     *
     * @param growers ranks that come together; all members say the same
     * @return the fault that ended it, or null
     */
    @Nullable Fault gather(Group group, Collective collective, List<Integer> growers) {
        if (isOf(growers)) {
            return null;
        }
        end();
        Fault fault = growers.size() > 1 ? join(group, collective, growers) : null;
        gathered = fault == null ? growers : List.of();
        return fault;
    }

    private @Nullable Fault join(Group group, Collective collective, List<Integer> growers) {
        int rank = collective.rank();
        int host = growers.get(0);
        Span said = Span.allocate(Integer.BYTES + KEY_BYTES);
        if (rank == host) {
            open(group, growers, said.buffer(), () -> collective.ended() != null);
        }
        Set<Integer> others = Set.copyOf(growers.subList(1, growers.size()));
        Fault fault = collective.copy(host, others, List.of(said));
        if (fault != null || !growers.contains(rank)) {
            return fault;
        }
        ByteBuffer heard = said.buffer();
        int port = heard.getInt();
        byte[] key = new byte[KEY_BYTES];
        heard.get(key);
        String where = rank == host ? LOOPBACK : host(group, group.members().get(host));
        int place = growers.indexOf(rank);
        TreeGroup.Door door = new TreeGroup.Door(where, port, HexFormat.of().formatHex(key));
        learner.join(door, place, patienceNs, () -> collective.ended() != null);
        return null;
    }

    private void open(Group group, List<Integer> growers, ByteBuffer into, BooleanSupplier isOver) {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        List<String> hosts =
                growers.stream().map(r -> host(group, group.members().get(r))).toList();
        try {
            InetAddress bind =
                    isOneHost(group)
                            ? InetAddress.getByName(LOOPBACK)
                            : InetAddress.getByName("0.0.0.0");
            tracker = new CollectiveTracker(HexFormat.of().formatHex(key), hosts, bind, isOver);
            into.putInt(tracker.port());
            into.put(key);
        } catch (IOException e) {
            throw new UncheckedIOException("no port for the members to meet", e);
        }
    }

    /** Where the other members reach one. */
    private static String host(Group group, Member member) {
        return isOneHost(group) ? LOOPBACK : member.address();
    }

    /** Members of one machine have one address; those in name spaces of it have several. */
    private static boolean isOneHost(Group group) {
        return group.members().stream().map(Member::address).distinct().count() == 1;
    }

    /** Leaves what was joined. */
    void end() {
        learner.leave();
        gathered = List.of();
        CollectiveTracker open = tracker;
        tracker = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
