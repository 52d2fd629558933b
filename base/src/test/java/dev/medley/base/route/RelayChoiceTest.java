package dev.medley.base.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who joins those of whom neither can be dialled. */
@Tag("property")
class RelayChoiceTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    /** A member: where it stands, and whether it can be dialled. */
    private static Member member(int id, String site, boolean isDialled) {
        String address = isDialled ? "10.0.0." + id : Member.NOT_DIALLED;
        return new Member(new WorkerId(id), "host-" + id, site, address, 7000, "kernels");
    }

    /** In order of rank: a letter for the site, small for who is behind NAT. */
    private static Group group(String shape) {
        List<Member> members = new ArrayList<>();
        for (char each : shape.toCharArray()) {
            String site = String.valueOf(Character.toUpperCase(each));
            members.add(member(members.size(), site, Character.isUpperCase(each)));
        }
        return new Group(1, members);
    }

    private static Group random(RandomGenerator chance, int sites) {
        List<Member> members = new ArrayList<>();
        int size = 1 + chance.nextInt(12);
        for (int i = 0; i < size; i++) {
            String site = "site-" + chance.nextInt(sites);
            members.add(member(3 * i + 1, site, chance.nextInt(3) == 0));
        }
        return new Group(1, members);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldJoinEachPairThatNeedsItOnceThroughAMemberThatCanBeDialled(long seed) {
        Group group = random(Seeds.generator(seed), 3);
        RelayChoice choice = RelayChoice.of(group);
        boolean isAnyDialled = group.members().stream().anyMatch(Member::isDialled);
        for (int one = 0; one < group.size(); one++) {
            for (int other = 0; other < group.size(); other++) {
                boolean isInNeed =
                        one != other
                                && !group.members().get(one).isDialled()
                                && !group.members().get(other).isDialled();
                assertThat(choice.between(one, other).isPresent())
                        .isEqualTo(isInNeed && isAnyDialled);
                assertThat(choice.between(one, other)).isEqualTo(choice.between(other, one));
            }
        }
        assertThat(choice.pairs())
                .allSatisfy(
                        pair -> {
                            assertThat(group.members().get(pair.relay()).isDialled()).isTrue();
                            assertThat(pair.why())
                                    .contains(
                                            name(group, pair.one()),
                                            name(group, pair.other()),
                                            "through " + name(group, pair.relay()));
                        });
        assertThat(choice).isEqualTo(RelayChoice.of(group));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldChooseTheSameInWhateverOrderMembersStand(long seed) {
        Group group = random(Seeds.generator(seed), 3);
        List<Member> shuffled = new ArrayList<>(group.members());
        shuffled.sort(Comparator.comparing(each -> Seeds.of(seed, each.worker().value())));
        assertThat(byWorkers(new Group(1, shuffled))).isEqualTo(byWorkers(group));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldSpreadPairsOverTheEquallyNear(long seed) {
        Group group = random(Seeds.generator(seed), 1);
        Map<Integer, Integer> loads = new HashMap<>();
        for (int rank = 0; rank < group.size(); rank++) {
            if (group.members().get(rank).isDialled()) {
                loads.put(rank, 0);
            }
        }
        RelayChoice.of(group).pairs().forEach(pair -> loads.merge(pair.relay(), 1, Integer::sum));
        if (!loads.isEmpty()) {
            assertThat(Collections.max(loads.values()) - Collections.min(loads.values()))
                    .isLessThanOrEqualTo(1);
        }
    }

    @Test
    void shouldKeepBytesAtTheirSiteWhereARelayStandsThere() {
        assertThat(relays("ABbb")).containsExactly(1);
        assertThat(relays("ABab")).containsExactly(0);
        assertThat(relays("CABab")).containsExactly(1);
        assertThat(relays("CBaa")).containsExactly(0);
        assertThat(RelayChoice.of(group("ABbb")).pairs().get(0).why())
                .isEqualTo(
                        "worker-2 and worker-3, both behind NAT, are joined through worker-1 (at"
                                + " their site, relay of 0 other pairs so far)");
    }

    @Test
    void shouldNeedNoRelayWhereOneOfTwoCanBeDialled() {
        assertThat(RelayChoice.of(group("AAa")).pairs()).isEmpty();
        assertThat(RelayChoice.of(group("aa")).pairs()).isEmpty();
    }

    private static List<Integer> relays(String shape) {
        return RelayChoice.of(group(shape)).pairs().stream()
                .map(RelayChoice.Relayed::relay)
                .toList();
    }

    private static Map<Set<String>, String> byWorkers(Group group) {
        return RelayChoice.of(group).pairs().stream()
                .collect(
                        Collectors.toMap(
                                pair -> Set.of(name(group, pair.one()), name(group, pair.other())),
                                pair -> name(group, pair.relay())));
    }

    private static String name(Group group, int rank) {
        return group.members().get(rank).worker().toString();
    }
}
