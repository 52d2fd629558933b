package dev.medley.net.link;

import dev.medley.base.Group;
import java.util.List;
import java.util.stream.Stream;

/** What a link carries. Two members are joined by one link of each lane that their group needs. */
public enum Lane {
    /** Small messages beside the data: agreement, doorbells, faults. */
    CONTROL,
    /** Slices of tensors and state. */
    DATA,
    /** Whole sums on their way back, which must not wait behind the values of a later slice. */
    SUMS,
    /** Letters of one member to another, beside what all do together. */
    POST;

    /** The lanes of a group: sums have a lane of their own where there are several machines. */
    public static List<Lane> of(Group group) {
        boolean isSpread = group.sites().size() > 1 || !group.isOnOneHost();
        return isSpread ? ofMachines() : List.of(CONTROL, DATA);
    }

    /** The lanes of a group of several machines. */
    public static List<Lane> ofMachines() {
        return List.of(CONTROL, DATA, SUMS);
    }

    /** The same lanes, and one for letters. */
    public static List<Lane> withPost(List<Lane> lanes) {
        return Stream.concat(lanes.stream(), Stream.of(POST)).toList();
    }
}
