"""What words of research papers say of the kind of a thing: names that are widely known, and nouns that tell it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

KNOWN: Final[Mapping[str, str]] = {
    name.replace("_", " "): kind
    for kind, names in {
        "DATASET": """ImageNet MNIST CIFAR-10 CIFAR-100 COCO MS_COCO PASCAL_VOC Cityscapes KITTI CelebA LFW SVHN
            SQuAD Natural_Questions TriviaQA HotpotQA MuSiQue MS_MARCO CuratedTREC WebQuestions FEVER SciFact GLUE
            SuperGLUE SNLI MultiNLI CoNLL-2003 OntoNotes Penn_Treebank WikiText-103 WikiText-2 BookCorpus C4
            Common_Crawl LibriSpeech MIMIC-III PubLayNet PubTabNet FinTabNet PubTables-1M DocBank DocLayNet TableBank
            PRImA RVL-CDIP FUNSD CORD WordNet Wikidata DBpedia Freebase BEIR MMLU GSM8K HumanEval LAION-5B""",
        "METRIC": """F1 mAP BLEU ROUGE ROUGE-L METEOR TEDs TEDS IoU mIoU AUC AUROC MRR nDCG NDCG PSNR SSIM FID WER CER
            perplexity accuracy precision recall exact_match F1_score BLEU_score R@k""",
        "ALGORITHM": """BM25 TF-IDF PageRank Adam AdamW SGD backpropagation beam_search k-means DBSCAN AdaBoost XGBoost
            Viterbi Dijkstra PPO REINFORCE Q-learning random_forest gradient_descent""",
        "METHOD": """BERT RoBERTa DistilBERT ALBERT ELECTRA ELMo GPT GPT-2 GPT-3 GPT-4 T5 BART XLNet LLaMA Transformer
            LSTM BiLSTM GRU CNN RNN GAN VAE ViT CLIP ResNet ResNet-50 ResNet-101 VGG VGG-16 Inception EfficientNet
            MobileNet U-Net YOLO SSD Faster_R-CNN Mask_R-CNN R-CNN DETR Detectron2 LayoutLM LayoutParser TableFormer
            word2vec GloVe fastText DPR ORQA REALM ColBERT RAG GraphRAG Tesseract""",
    }.items()
    for name in names.split()
}
"""Names as they are written, with the class of the research ontology that they belong to."""

HEADS: Final[Mapping[str, str]] = {
    noun.replace("_", " "): kind
    for kind, nouns in {
        "DATASET": "dataset datasets data_set data_sets corpus corpora benchmark benchmarks",
        "METRIC": "score scores metric metrics accuracy",
        "ALGORITHM": "algorithm algorithms",
        "METHOD": """model models network networks architecture architectures framework toolkit library encoder
            detector retriever classifier parser method approach""",
    }.items()
    for noun in nouns.split()
}
"""Nouns that say of the name before them what it is: the PubTabNet data set."""

TASKS: Final = frozenset(
    """detection recognition segmentation classification retrieval answering translation summarization summarisation
    extraction generation parsing tagging modeling modelling linking disambiguation captioning localization learning
    analysis understanding inference tokenization annotation ranking clustering matching reasoning comprehension
    verification resolution""".split()
)
"""What people do research on, when a word before it says to what it is done: layout detection."""

BARE: Final = frozenset(
    """better good best same new other further more most many several such each this that our their its high higher low
    lower previous existing current recent different various similar significant first second third last own general
    full large small simple empirical experimental detailed additional careful extensive comparative our statistical
    error data result performance""".split()
)
"""Words that tell no task apart from another."""

NO_NAMES: Final = frozenset(
    """I II III IV V VI Table Figure Fig Section Sec Eq Equation Appendix Algorithm Theorem Lemma Chapter USA UK EU UN
    GPU GPUs CPU CPUs API APIs PDF URL HTTP ID AI ML NLP DL IR QA CV AMD Intel NVIDIA Google Microsoft IBM ACM IEEE
    arXiv""".split()
)
"""Written like names of methods or data, and none."""
