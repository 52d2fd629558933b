package dev.medley.net.link;

import dev.medley.base.Group;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The purpose of a link between two members. Two members are joined by one link of each lane that
 * they need; where one connection is too slow to begin with, a lane has several strands.
 *
 * @param use what travels
 * @param strand number of the connection among those of the same use, from 0
 */
public record Lane(Use use, int strand) {
    /** The kind of bytes that travel on a lane. */
    public enum Use {
        /** Small messages beside the data: agreement, doorbells, faults. */
        CONTROL,
        /** Slices of tensors and state. */
        DATA,
        /** Whole sums on their way back, which must not wait behind the values of a later slice. */
        SUMS,
        /** Letters of one member to another, beside what all do together. */
        POST
    }

    /** The only strand of messages beside the data. */
    public static final Lane CONTROL = new Lane(Use.CONTROL, 0);

    /** The first strand of slices and state. */
    public static final Lane DATA = new Lane(Use.DATA, 0);

    /** The first strand of whole sums. */
    public static final Lane SUMS = new Lane(Use.SUMS, 0);

    /** The only strand of letters. */
    public static final Lane POST = new Lane(Use.POST, 0);

    /** So many strands of the same use. */
    public List<Lane> strands(int count) {
        return IntStream.range(0, count).mapToObj(this::at).toList();
    }

    /** Another strand of the same use. */
    public Lane at(int other) {
        return new Lane(use, other);
    }

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

    @Override
    public String toString() {
        return strand == 0 ? use.name() : use + " " + (strand + 1);
    }
}
