import type { Skill } from '../../skill/skill.ts';
import { wordsOf } from '../markdown.ts';

/** Words that say nothing of what a skill does. */
const EMPTY = new Set(
  'a an the and or of in on at to for with by from as is are be it its this that these those your you my our we i all any some more most very really just help helps helping helper helpful thing things stuff various several many different useful task tasks work works working general generic assist assists assistance support supports supporting handle handles handling skill skills tool tools do does doing make makes making better good great best everything anything something etc other others utility utilities provide provides providing user users need needs use uses used using when whenever if want wants deal deals dealing manage manages information about improve improves improving enhance enhances enable enables ability capability capabilities feature features functionality purpose purposes'.split(
    ' ',
  ),
);
/** Ways to say when something is wanted. */
const WHEN =
  /\b(?:use[ds]?|using|when|whenever|while|before|after|if|unless|during|once|upon|for|to|asked|asks|trigger\w*|invoke\w*|activate\w*|whether|need(?:s|ed|ing)?|wenn|bei|beim|sobald|falls|vor|nach|für|zum|zur|um|lorsque|quand|pour|si|avant|après|cuando|para|al|antes|tras|después|quando|prima|dopo|per|se|antes|gdy|kiedy|dla|aby|przy|когда|если|для|при|перед|после|als|wanneer|voor|när|för|om|kun|jos|ketika|untuk|saat|khi|để|cho)\b|[当当時时用若]|需要|如果|适用|適用|用于|以便|とき|場合|際|ため|使う|使用|たい|때|경우|위해|사용|하려|عند|إذا|لـ|כאשר|אם|כדי|जब|के लिए|เมื่อ|สำหรับ/iu;
const FEWEST_WORDS = 3;
const FEWEST_CJK = 8;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/**
 * Why a description does not say what the skill does and when it is wanted; undefined if it does. Of `when_to_use`
 * the second part may stand on its own. Heuristic, any language: it counts words that carry meaning and looks for
 * one of the usual ways to name an occasion.
 */
export function descriptionFault({
  description,
  whenToUse,
  name,
}: Pick<Skill, 'description' | 'whenToUse' | 'name'>): { rule: string; message: string } | undefined {
  const own = new Set(wordsOf(name));
  const wide = description.match(WIDE)?.length ?? 0;
  const telling = new Set(
    wordsOf(description).filter((word) => !EMPTY.has(word) && word.length > 1 && !/^\d+$/.test(word)),
  );
  const beyondName = [...telling].filter((word) => !own.has(word));
  if (wide < FEWEST_CJK && (telling.size < FEWEST_WORDS || beyondName.length === 0))
    return {
      rule: 'description-without-what',
      message: `the description ${JSON.stringify(description)} does not say what the skill does: name the thing it works on and what comes out`,
    };
  if (whenToUse === undefined && !WHEN.test(description.replace(/^\s*use[ds]? (?=\w+\s*$)/i, '')))
    return {
      rule: 'description-without-when',
      message: `the description ${JSON.stringify(description.slice(0, 200))} does not say when the skill is wanted: add "Use when ..."`,
    };
  return undefined;
}
