# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bench/gpu.py counts and predicts, on made-up kernels whose figures are known.

usage: gpu_model_test.py BENCH"""
import dataclasses
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv.pop(1))
from gpu_model import bound, cards, code, counts, gates, nova, peers, problems, report, step  # noqa: E402

ADA, H200 = cards.CARDS["RTX 6000 Ada"], cards.CARDS["H200"]
MMA = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"

PTX = """
.visible .entry product(
	.param .u64 a,
	.param .u64 b
)
.reqntid 256
{
	.reg .b32 %r<9>;
	ld.param.b64 %rd1, [a];
	ld.global.nc.v4.b32 {%r1, %r2,
	  %r3, %r4}, [%rd1];       // before the loop; not in it
$L__BB0_1:
	@%p1 cp.async.cg.shared.global [%r1], [%rd1], 0x10, %r2;
	cp.async.commit_group;
	ld.global.b16 %rs1, [%rd1];
	.loc	1 22 17
	mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1}, {%r1}, {%r2}, {%f1};
	@%p2 bra $L__BB0_1;
	st.global.b32 [%rd1], %r1;
	ret;
}
.visible .entry copy(
	.param .u64 a
)
{
	ld.global.v2.b32 {%r1, %r2}, [%rd1];
	st.global.v2.b32 [%rd1], {%r1, %r2};
	ret;
}
"""

SASS = """
	.section	.text.product,"ax",@progbits
product:
        /*0000*/                   LDG.E.128.CONSTANT R1, [R2] ;
.L_x_1:
        /*0010*/              @!P0 LDGSTS.E.BYPASS.LTC128B.128 [R1], [R2.64] ;
        /*0020*/                   LDG.E.U16 R3, [R4] ;
        /*0030*/             @!PT LDS RZ, [RZ] ;
        /*0040*/                   HMMA.16816.F32.BF16 R1, R2, R3, R1 ;
        /*0050*/               @P0 BRA `(.L_x_1) ;
        /*0060*/                   EXIT ;
.L_x_2:
        /*0070*/                   BRA `(.L_x_2);
        /*0080*/                   NOP;
"""


def kernel(**fields):
    """A kernel that does nothing but what is asked for."""
    nothing = {field.name: 0.0 for field in dataclasses.fields(counts.Counts)}
    return counts.Counts(**{**nothing, "kernel": "k", "blocks": ADA.multiprocessors, "threads": 256, "matrix": {},
                            "registers": 32, "local_bytes": 0, "shared_bytes": 0, "ptx_loop": None, "sass_loop": None,
                            **fields})


class Code(unittest.TestCase):
    def test_a_loop_of_ptx_is_what_lies_before_a_branch_backwards(self):
        kernels = code.ptx_kernels(PTX)
        self.assertEqual(code.main_loop(kernels["product"]), code.Loop(5, 1, 2, 2))
        self.assertEqual(code.main_loop(kernels["copy"]), code.Loop(3, 0, 8, 8, is_loop=False))

    def test_a_loop_of_sass_leaves_padding_out(self):
        self.assertEqual(code.main_loop(code.sass_kernels(SASS)["product"]), code.Loop(4, 1, 2, 2))

    def test_parameters_are_counted_by_kernel(self):
        self.assertEqual([code.parameters(PTX, name) for name in ("product", "copy")], [2, 1])

    def test_widths_of_loads(self):
        for opcode, operands, size in (
                ("ld.global.nc.L1::evict_last.v4.b32", "", 16), ("ld.global.b8", "", 1), ("ld.global.v8.b16", "", 16),
                ("cp.async.ca.shared.global", "[%r1], [%rd1], 4", 4), ("cp.async.wait_group", "1", 0),
                ("ld.shared.v4.b32", "", 0), ("LDG.E.64", "", 8), ("LDG.E", "", 4), ("LDG.E.U8", "", 1),
                ("LDG.E.LTC128B.64", "", 8), ("LDS.128", "", 0)):
            self.assertEqual(code.Instruction(opcode, 0, None, operands).loads, size, opcode)


class Counting(unittest.TestCase):
    def test_samples_are_spread_and_never_more_than_there_are(self):
        self.assertEqual(counts.samples(5, 8), [0, 1, 2, 3, 4])
        self.assertEqual(counts.samples(100, 4), [3, 33, 63, 93])

    def test_samples_of_attention_hold_each_kind_of_block_in_both_orders(self):
        for heads, kinds in ((96, 8), (96, 16), (12, 4), (7, 3)):
            numbers = counts.samples(heads * kinds, 2, heads)
            self.assertEqual({number % kinds for number in numbers}, set(range(kinds)))
            self.assertEqual({number // heads for number in numbers}, set(range(kinds)))
        many = counts.samples(96 * 128, 8, 96)
        self.assertEqual({number % 128 for number in many}, set(range(128)))
        self.assertEqual(len({number // 96 for number in many}), 127)

    def test_counters_of_some_blocks_stand_for_the_grid(self):
        launch = counts.Launch("k", (4, 2, 1), 64, 512, [], 1e6)
        mix = {MMA: 6, "ld.global.v4.b32": 3, "st.global.b32": 4, "ex2.approx.ftz.f32": 5, "div.rn.f64": 2,
               "shfl.sync.bfly.b32": 7, "cp.async.cg.shared.global": 1, "cp.async.commit_group": 1, "div.s32": 1,
               "atom.global.add.f32": 1, "atom.shared.add.f32": 1}
        counters = {key: 10 for key in ("warp_instructions", "global_requests", "global_sectors",
                                        "global_sectors_ideal", "global_sectors_distinct", "shared_wavefronts",
                                        "shared_wavefronts_ideal")}
        counters.update(matrix_multiply_adds=6 * 2048, shuffles=7, bulk_copies=3, bulk_bytes=640,
                        wgmma_shared_bytes=256)
        found = counts.scaled(launch, {**counters, "mix": mix}, 2)
        self.assertEqual((found.blocks, found.products, found.special, found.f64, found.shuffles), (8, 24, 20, 8, 28))
        self.assertEqual((found.async_requests, found.async_sectors, found.atomics, found.sectors, found.warps),
                         (16, 144, 4, 40, 16))
        self.assertEqual((found.load_share, found.shared_wavefronts, found.shared_ideal), (84 / 100, 48, 48))

    def test_counts_are_kept_and_read_again(self):
        before = kernel(ptx_loop=code.Loop(5, 1, 2, 2), matrix={MMA: 3})
        self.assertEqual(counts.Counts.from_json(before.as_json()), before)

    def test_a_file_that_is_no_bundle_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.nova"
            path.write_bytes(bytes(100))
            with self.assertRaisesRegex(SystemExit, "expected a bundle"):
                nova.sections(path)


class Bound(unittest.TestCase):
    def time(self, resource, card=ADA, **fields):
        """Seconds that the resource is busy, and that nothing else bounds the kernel."""
        found = kernel(**fields)
        self.assertEqual(bound.predict(card, found)[1], resource)
        return bound.seconds(card, found)[resource] * cards.ATTAINED[resource]

    def test_each_resource_bounds_a_kernel_that_needs_nothing_else(self):
        clocks = ADA.clock * ADA.multiprocessors
        self.assertAlmostEqual(self.time("issue", warp_instructions=4e9), 1e9 / clocks)
        self.assertAlmostEqual(self.time("matrix", matrix={MMA: 1e9}), 4096e9 / 364e12)
        self.assertAlmostEqual(self.time("shared", shared_wavefronts=1e9, shuffles=1e9), 2e9 / clocks)
        self.assertAlmostEqual(self.time("shared", requests=1e9, sectors=8e9), 2e9 / clocks)
        self.assertAlmostEqual(self.time("shared", requests=3e9, sectors=8e9), 3e9 / clocks)
        self.assertAlmostEqual(self.time("special", special=1e9), 2e9 / clocks)
        self.assertAlmostEqual(self.time("special", f64=1e9), 16e9 / clocks)
        self.assertAlmostEqual(self.time("L2", sectors_distinct=1e9), 32e9 / ADA.l2)
        self.assertAlmostEqual(self.time("DRAM", bytes=1e9), 1e9 / ADA.dram)

    def test_one_block_more_than_multiprocessors_takes_a_second_round(self):
        even = self.time("issue", warp_instructions=1e9)
        uneven = self.time("issue", warp_instructions=1e9 * 143 / 142, blocks=143)
        self.assertAlmostEqual(uneven, 2 * even)

    def test_other_types_have_other_rates(self):
        bf16 = self.time("matrix", matrix={MMA: 1e9})
        tf32 = self.time("matrix", matrix={"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32": 1e9})
        self.assertAlmostEqual(tf32, bf16)  # half the products at half the rate
        wide = "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16"
        whole = self.time("matrix", H200, matrix={wide: 4e6}, blocks=H200.multiprocessors)
        self.assertAlmostEqual(whole, 1e6 * 2 * 64 * 256 * 16 / H200.matrix["wgmma"])

    def test_instructions_of_a_product_are_those_of_sass(self):
        loops = {"ptx_loop": code.Loop(200, 50, 0, 16), "sass_loop": code.Loop(150, 50, 0, 16)}
        found = kernel(matrix={MMA: 1000}, warp_instructions=5000, **loops)
        self.assertEqual(bound.issued(found), 4000)  # 3 for each of them, and 1000 outside
        self.assertEqual(bound.issued(dataclasses.replace(found, sass_loop=None)), 5000)

    def test_the_scarcest_resource_limits_the_resident_blocks(self):
        self.assertEqual(bound.resident(ADA, kernel()), 6)  # threads
        self.assertEqual(bound.resident(ADA, kernel(threads=32)), 24)  # blocks
        self.assertEqual(bound.resident(ADA, kernel(registers=128)), 2)
        self.assertEqual(bound.resident(ADA, kernel(shared_bytes=48 << 10)), 2)
        self.assertEqual(bound.resident(ADA, kernel(shared_bytes=120 << 10)), 0)
        self.assertEqual(bound.warps_per_multiprocessor(ADA, kernel()), 48)

    def test_a_loop_that_loads_into_registers_waits_once_an_iteration(self):
        loop = code.Loop(100, 10, 64, 16)
        waiting = kernel(matrix={MMA: 10 * 8 * 142 * 32}, ptx_loop=loop)
        self.assertAlmostEqual(bound.waiting_seconds(ADA, waiting), 32 * ADA.latency)
        copied = dataclasses.replace(waiting, ptx_loop=dataclasses.replace(loop, load_bytes=0))
        self.assertEqual(bound.waiting_seconds(ADA, copied), 0)

    def test_few_threads_with_narrow_loads_have_little_in_flight(self):
        narrow = kernel(blocks=3, sectors_distinct=3 * 256 * 10, load_share=1.0, ptx_loop=code.Loop(9, 0, 4, 4))
        self.assertAlmostEqual(bound.waiting_seconds(ADA, narrow), 256 * 10 * 32 / (256 * 4) * ADA.latency)


class Steps(unittest.TestCase):
    def test_the_heads_of_a_step_are_one_head_as_often(self):
        one = kernel(blocks=8, warp_instructions=5.0, matrix={MMA: 2})
        many = step.scaled(one, 96)
        self.assertEqual((many.blocks, many.warp_instructions, many.matrix[MMA], many.threads, many.registers),
                         (768, 480, 192, 256, 32))

    def test_the_peers_of_every_problem_of_a_step_are_kept(self):
        for card in cards.CARDS.values():
            rows = list(step.of_peers(card, step.GPT2))
            self.assertLess(sum(row[1] for row in rows), 400)
            self.assertTrue(all(row[2] > 0 for row in rows))

    def test_predictions_are_near_what_was_measured(self):
        for name, (card, measured) in cards.MEASURED.items():
            predicted = step.GPT2.tokens / sum(row[2] for row in step.of_peers(card, step.GPT2))
            self.assertTrue(0.8 < predicted / measured < 1.25, f"{name}: {predicted}")

    def test_the_loops_of_the_peers_are_found_in_ptx_and_in_sass(self):
        for found in (kernel for variants in peers.load("sm_89")[1].values() for kernels in variants.values()
                      for kernel in kernels if kernel.products):
            for loop in (found.ptx_loop, found.sass_loop):
                self.assertTrue(loop.is_loop and loop.matrix, found.kernel)
                self.assertTrue(found.kernel != "matmul" or not loop.load_bytes)

    def test_what_a_product_computes_is_known_whatever_is_fused_into_it(self):
        for name, problem in (("matmul_bias_gelu_8192x3072x768_1", "matmul_nn 8192x3072x768"),
                              ("matmul_nt_gelu_grad_8192x3072x768", "matmul_nt 8192x3072x768"),
                              ("matmul_tn_50257x768x8192", "matmul_tn 50304x768x8192"),
                              ("matmul_nt_8192x50264x768_2", "matmul_nt 8192x50304x768"), ("softmax_8x8", None)):
            self.assertEqual(gates.problem_of(name), problem)

    def test_kernels_that_only_move_data_are_known_by_their_names(self):
        for name, moves in (("slice_8192x768_1", True), ("transpose_8x12x1024x64", True), ("concat_8192x2304", True),
                            ("gather_8192x768", False), ("slice_add_8x8", False), ("matmul_8x8x8", False)):
            self.assertEqual(nova.Kernel(name, "", 1, 1, 0, [], None).only_moves, moves, name)

    def test_every_problem_has_useful_bytes_and_a_program(self):
        for size in ("tiny", "gpt2"):
            for problem in problems.problems(size):
                self.assertGreater(problem.bytes, 0)
                self.assertNotIn("[", problem.nova().replace("[(", ""), problem.name)


class Gates(unittest.TestCase):
    def test_limits_hold_from_both_sides(self):
        self.assertTrue(gates.Gate("", 1, 1).passes and gates.Gate("", 1, 1, True).passes)
        self.assertFalse(gates.Gate("", 1.1, 1).passes or gates.Gate("", 0.9, 1, True).passes)

    def test_a_kernel_that_is_its_own_peer_passes(self):
        _, kept = peers.load("sm_89")
        for problem in problems.problems("gpt2"):
            for found in kept.get(problem.name, {}).values():
                if problem.family == "matmul":
                    made = list(gates.of_matmul(problem.name, found, {gates.TILES[0]: found}))
                elif problem.family == "attention":
                    made = list(gates.of_attention(problem.name, found, [2], problem, {"": found}))
                else:
                    made = [gate for gate in gates.of_rows(problem.name, found, problem, {"": found})
                            if "instructions" in gate.what]
                self.assertTrue(made and all(gate.passes for gate in made), [g.what for g in made if not g.passes])

    def test_structure_names_what_is_wrong(self):
        wrong = kernel(products=1.0, shared_wavefronts=2.0, shared_ideal=1.0, shared_bytes=101 << 10, local_bytes=8,
                       ptx_loop=code.Loop(9, 1, 2, 2))
        missed = [gate.what for gate in gates.structure("k", wrong) if not gate.passes]
        self.assertEqual(len(missed), 5, missed)


class Report(unittest.TestCase):
    def test_figures_are_short(self):
        for value, text in ((None, ""), (7, "7"), (9999, "9,999"), (12345, "12.3K"), (999499, "999K"),
                            (999500, "1.00M"), (1144516608, "1,145M"), (2.5, "2.5"), ("L2", "L2")):
            self.assertEqual(report.short(value), text)

    def test_a_step_is_divided_into_groups(self):
        row = dict.fromkeys(report.COLUMNS, 1)
        steps = {"nova": [("matmul_8x8x8", 2, 0.25, "L2"), ("concat_8x8", 1, 0.25, "DRAM"), ("add_8", 1, 0.5, "DRAM")]}
        text = report.markdown([("p", "nova", row), ("p", "triton 64x64x64", row)], steps, 10, [gates.Gate("", 2, 1)])
        for line in ("| products, ms | 250.0 |", "| kernels that only move data, ms | 250.0 |",
                     "| the rest, ms | 500.0 |", "| **tokens/s** | **10** |", "| launches | 4 |", "1 of 1 gates are missed."):
            self.assertIn(line, text.splitlines())
        self.assertNotIn("64x64x64", text)


if __name__ == "__main__":
    unittest.main()
